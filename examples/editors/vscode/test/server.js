// A plain client of the language server: requests and answers in JSON over its standard streams.
'use strict';

const { spawn } = require('node:child_process');
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require('vscode-languageserver-protocol/node');

/** Starts the server and shakes hands with it. */
async function serve(command, root) {
  const child = spawn(command, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  connection.listen();
  const { capabilities } = await connection.sendRequest('initialize', { processId: process.pid, rootUri: root, capabilities: {} });
  await connection.sendNotification('initialized', {});
  return {
    capabilities,
    open: (uri, text) => connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'rulerun', version: 1, text } }),
    ask: (method, params) => connection.sendRequest(method, params),
    async close() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      await new Promise((done) => child.once('exit', done));
      connection.dispose();
    },
  };
}

/** What the server says each token of an open file is: {line, from, to, type}. */
async function semantic(server, uri) {
  const { data } = await server.ask('textDocument/semanticTokens/full', { textDocument: { uri } });
  const types = server.capabilities.semanticTokensProvider.legend.tokenTypes;
  const out = [];
  let line = 0;
  let from = 0;
  for (let i = 0; i < data.length; i += 5) {
    from = data[i] ? data[i + 1] : from + data[i + 1];
    line += data[i];
    out.push({ line, from, to: from + data[i + 2], type: types[data[i + 3]] });
  }
  return out;
}

module.exports = { serve, semantic };
