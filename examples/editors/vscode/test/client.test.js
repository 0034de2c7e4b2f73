'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');

const { command } = require('./command');
const { stub, Position } = require('./vscode');

/** Loads the bundle as the editor would, with a stand-in for the editor. */
function load(vscode) {
  const bundle = path.join(__dirname, '../dist/extension.js');
  const plain = Module._load;
  delete require.cache[bundle];
  Module._load = (name, ...rest) => (name === 'vscode' ? vscode : plain(name, ...rest));
  try {
    return require(bundle);
  } finally {
    Module._load = plain;
  }
}

/** Waits until something is so. */
async function until(what, so) {
  for (let i = 0; i < 600; i++) {
    if (so()) {
      return;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`${what} did not happen`);
}

const rules = `ruleset sprint "Sprint"
board cross68
players 2..4
pieces 2 at home
dice die = d6
turn { throw die; play die }
move enter(q in mine) from home to q.start
move advance(q in mine) from squares walk steps
rule counting "One piece counts" { may advance(q); step beyond: bar }
rule coming_out "A five comes out" { may enter(q) when die == 5 }
rule finish "All in the goal" { win player x when all(x.pieces, .at == goal) }
test "a step" {
  given yellow 10 home | red 30 home
  turn yellow
  throw 3
  expect yellow 13 home
}
`;

/** Starts the extension on a folder with a rule file and a board. */
async function started(t, settings) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'workspace-')));
  const file = path.join(folder, 'sprint.rules');
  fs.writeFileSync(file, rules);
  const editor = stub(folder, settings);
  const context = { subscriptions: [] };
  const extension = load(editor.module);
  await extension.activate(context);
  t.after(async () => {
    await extension.deactivate();
    context.subscriptions.forEach((s) => s.dispose());
    fs.rmSync(folder, { recursive: true });
  });
  return { ...editor, folder, file, extension };
}

test('the client speaks with the real server', async (t) => {
  const rulerun = command();
  if (!rulerun) {
    t.skip('there is no Go to build the command with');
    return;
  }
  const { registered, open, events, file, folder } = await started(t, { command: rulerun, arguments: ['lsp'] });
  assert.deepEqual(registered.shown, []);
  const uri = (name) => [...registered.diagnostics.keys()].find((u) => u.endsWith(name));
  const found = (name) => (registered.diagnostics.get(uri(name)) ?? []).filter((d) => d.severity === 0);
  const document = await open(file, 'rulerun');

  await document.replace(rules.replace('at home', 'at hme'));
  await until('a finding', () => found('sprint.rules').length === 1);
  const [mistake] = found('sprint.rules');
  assert.match(mistake.message, /no zone "hme"/);
  assert.deepEqual({ ...mistake.range.start }, { line: 3, character: 12 });
  await document.replace(rules);
  await until('no finding', () => found('sprint.rules').length === 0);

  // What the editor asks for, by the providers the client registered.
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
  const provider = (kind) => registered.providers.find((p) => p.kind === kind);
  const hover = await provider('Hover').provider.provideHover(document, new Position(0, 2), token);
  assert.match(JSON.stringify(hover.contents), /ruleset/);
  const lenses = await provider('CodeLens').provider.provideCodeLenses(document, token);
  assert.deepEqual(lenses.map((l) => l.command.title), ['run the test', 'run']);
  const tokens = await provider('DocumentSemanticTokens').provider.provideDocumentSemanticTokens(document, token);
  assert.ok(tokens.data.length > 300);
  const edits = await provider('DocumentFormattingEdit').provider.provideDocumentFormattingEdits(document, { tabSize: 2, insertSpaces: true }, token);
  assert.ok(edits.length > 0);

  // The lens runs its test, and so does the command for the whole file.
  const shown = () => registered.shown.map((s) => s.message);
  const run = lenses[1].command;
  await registered.commands.get(run.command)(...run.arguments);
  await until('a result', () => shown().length === 1);
  await registered.commands.get('rulerun.runFile')();
  await until('another result', () => shown().length === 2);
  assert.deepEqual(shown(), ['1 passed, 0 failed', '1 passed, 0 failed']);

  // Rule files alone are formatted, folded, completed: YAML files have others for that.
  for (const kind of ['DocumentFormattingEdit', 'FoldingRange', 'CompletionItem', 'CodeLens', 'DocumentSemanticTokens']) {
    assert.deepEqual(registered.providers.filter((p) => p.kind === kind).map((p) => [p.selector].flat().map((s) => s.language)), [['rulerun']], kind);
  }
  assert.ok([provider('Hover').selector].flat().some((s) => s.language === 'yaml'));
  assert.ok(registered.watched.length >= 3, 'files are watched');

  // Boards are checked too.
  const board = path.join(folder, 'ring.yaml');
  fs.writeFileSync(board, 'board: ring\nsqares: []\n');
  await open(board, 'yaml');
  await until('a finding in a board', () => found('ring.yaml').length > 0);
  assert.match(found('ring.yaml').map((d) => d.message).join('\n'), /sqares/);

  // Another server takes over, and knows what is open.
  registered.diagnostics.clear();
  await registered.commands.get('rulerun.restart')();
  await until('findings after a restart', () => found('ring.yaml').length > 0);
  registered.diagnostics.clear();
  await events.onDidChangeConfiguration.fire({ affectsConfiguration: (name) => name === 'rulerun.command' });
  await until('findings after other settings', () => found('ring.yaml').length > 0);
});

test('exploring runs the command in a terminal', async (t) => {
  const { registered, open, file, folder } = await started(t, { command: '${workspaceFolder}/no-such-rulerun' });
  await open(file, 'rulerun');
  await registered.commands.get('rulerun.explore')();
  const [task] = registered.tasks;
  assert.equal(task.execution.process, `${folder}/no-such-rulerun`);
  assert.deepEqual(task.execution.args, ['check', '--explore', file]);
  assert.equal(task.execution.options.cwd, folder);
  assert.equal(task.problemMatchers, '$rulerun');
  const provider = registered.taskProviders.get('rulerun');
  assert.deepEqual(provider.provideTasks().map((x) => x.execution.args), [['check', '.'], ['test', '.']]);
  const definition = { type: 'rulerun', arguments: ['check', '--fail-on', 'warning', 'rules'] };
  const resolved = provider.resolveTask({ definition, name: 'strict', scope: task.scope });
  assert.equal(resolved.definition, definition);
  assert.deepEqual(resolved.execution.args, definition.arguments);
});

test('a command that is not there is told', async (t) => {
  const { registered } = await started(t, { command: '/nowhere/rulerun' });
  assert.equal(registered.shown.length, 1, JSON.stringify(registered.shown));
  assert.equal(registered.shown[0].level, 'error');
  assert.match(registered.shown[0].message, /^\/nowhere\/rulerun does not start: .+/);
  await registered.commands.get('rulerun.restart')(); // and does no harm
});
