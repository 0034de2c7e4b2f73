// The grammars, as the editor reads them: a text becomes lines of tokens with their scopes.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const top = path.join(__dirname, '..');

/** Loads a grammar by the name of its scope. */
async function load(scope) {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm).catch(() => {}); // once is enough
  const { contributes } = require('../package.json');
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (s) => new oniguruma.OnigString(s),
    }),
    loadGrammar: async (name) => {
      const { path: file } = contributes.grammars.find((g) => g.scopeName === name);
      return textmate.parseRawGrammar(fs.readFileSync(path.join(top, file), 'utf8'), file);
    },
  });
  return registry.loadGrammar(scope);
}

/** Cuts a text into tokens: {line, from, to, text, scopes}, lines and columns counted from 0, the scopes outermost first. */
function tokens(grammar, text) {
  const out = [];
  let state = textmate.INITIAL;
  text.split(/\r?\n/).forEach((words, line) => {
    const found = grammar.tokenizeLine(words, state);
    state = found.ruleStack;
    for (const t of found.tokens) {
      const part = words.slice(t.startIndex, t.endIndex);
      out.push({ line, from: t.startIndex, to: t.endIndex, text: part, scopes: t.scopes });
    }
  });
  return out;
}

module.exports = { load, tokens };
