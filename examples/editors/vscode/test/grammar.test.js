'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { pathToFileURL } = require('node:url');

const { command, files, repository } = require('./command');
const { load, tokens } = require('./grammar');
const { semantic, serve } = require('./server');

// The fixtures are no .rules files, as those of the repository are all checked and played.
const fixtures = { everything: 'everything', change: 'house', tests: 'beach', derived: 'derived', other: 'other' };
const fixture = (name) => fs.readFileSync(path.join(__dirname, `${name}.txt`), 'utf8');

/** All texts the grammar is tried on: the repository's rule files and the fixtures, in a folder of their own. */
function texts() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'rules-'));
  for (const [from, to] of Object.entries(fixtures)) {
    fs.writeFileSync(path.join(dir, `${to}.rules`), fixture(from));
  }
  const all = [...files('.rules', 'rulesets', 'examples'), ...Object.values(fixtures).map((f) => path.join(dir, `${f}.rules`))];
  return { dir, all };
}

test('every token of every rule file has a scope of its own', async () => {
  const grammar = await load('source.rulerun');
  const { dir, all } = texts();
  assert.ok(all.length > 25, `${all.length} files`);
  for (const file of all) {
    for (const t of tokens(grammar, fs.readFileSync(file, 'utf8'))) {
      const own = t.scopes.filter((s) => s !== 'source.rulerun' && !s.startsWith('meta.'));
      assert.ok(t.text.trim() === '' || own.length > 0, `${file}:${t.line + 1}:${t.from + 1}: ${JSON.stringify(t.text)} has no colour`);
    }
  }
  fs.rmSync(dir, { recursive: true });
});

test('the colours of every word of the language', async () => {
  const grammar = await load('source.rulerun');
  const lines = [];
  for (const name of Object.keys(fixtures)) {
    lines.push(`== ${name}`);
    for (const t of tokens(grammar, fixture(name))) {
      if (t.text.trim() !== '') {
        lines.push(`${t.line + 1}:${t.from + 1} ${t.text.trim()}  ${t.scopes.slice(1).filter((s) => !s.startsWith('meta.')).join(' ').replaceAll('.rulerun', '')}`);
      }
    }
  }
  const golden = path.join(__dirname, 'golden.txt');
  const got = lines.join('\n') + '\n';
  if (process.env.UPDATE) {
    fs.writeFileSync(golden, got);
  }
  const want = fs.readFileSync(golden, 'utf8').split('\n');
  const at = got.split('\n').findIndex((line, i) => line !== want[i]);
  assert.ok(at < 0 && got.split('\n').length === want.length, `line ${at + 1} is not as in test/golden.txt; UPDATE=1 writes it anew:\n${got.split('\n')[at]}\n${want[at]}`);
});

// What the server calls a token must agree with its colour.
const agreeing = {
  keyword: /^(keyword|storage|constant\.language|constant\.numeric\.dice|support\.function|variable\.language)/,
  number: /^constant\.numeric|^variable\.other\.place/,
  string: /^(string|punctuation\.definition\.string)/,
  comment: /^comment/,
  decorator: /^entity\.other\.attribute-name\.clause/,
  property: /^(variable\.other|support\.function|keyword\.control|keyword\.other)/,
};

// Words the server takes for the language's own as they stand where no name is looked up: the walker, a zone it cannot place.
const unknown = new Set(['p', 'home']);

test('the colours agree with what the language server says each token is', async (t) => {
  const rulerun = command();
  if (!rulerun) {
    t.skip('there is no Go to build the command with');
    return;
  }
  const grammar = await load('source.rulerun');
  const { dir, all } = texts();
  const server = await serve(rulerun, pathToFileURL(repository).href);
  const wrong = [];
  let keywords = 0;
  for (const file of all) {
    const text = fs.readFileSync(file, 'utf8');
    const uri = pathToFileURL(file).href;
    await server.open(uri, text);
    const coloured = tokens(grammar, text);
    for (const s of await semantic(server, uri)) {
      const c = coloured.find((x) => x.line === s.line && x.from <= s.from && s.from < x.to);
      const scope = c.scopes.filter((x) => /^(string|comment)/.test(x))[0] ?? c.scopes.at(-1);
      keywords += s.type === 'keyword';
      const wants = agreeing[s.type] ?? /^(?!keyword\.(declaration|control)|string|comment|constant\.numeric\.rulerun)/;
      const word = text.split('\n')[s.line].slice(s.from, s.to);
      if (!wants.test(scope) && !(s.type === 'namespace' && /^\d/.test(word)) && !unknown.has(word)) {
        wrong.push(`${path.basename(file)}:${s.line + 1}:${s.from + 1}: ${word} is a ${s.type}, coloured ${scope}`);
      }
    }
  }
  await server.close();
  fs.rmSync(dir, { recursive: true });
  assert.deepEqual(wrong, []);
  assert.ok(keywords > 5000, `${keywords} keywords`);
});

test('the colours of a list of clauses', async () => {
  const grammar = await load('source.rulerun.clauses');
  const lists = files('.clauses', 'rulesets/clauses');
  assert.ok(lists.length > 3);
  for (const file of lists) {
    const found = tokens(grammar, fs.readFileSync(file, 'utf8'));
    for (const t of found.filter((x) => x.from === 0 && /^[A-Z#]/.test(x.text))) {
      assert.ok(t.scopes.length > 1, `${file}:${t.line + 1}: ${t.text}`);
    }
    assert.ok(found.some((x) => x.text === 'settled' && x.scopes.length > 1), file);
  }
});

test('a forgotten brace or quote spoils no other declaration', async () => {
  const grammar = await load('source.rulerun');
  const text = 'act a(piece p) "p goes { send p to home\nrule b "B" {\n  may go(p) when (len(\n\nrule c "C" {\n  never go(p)\n}\ntest "t" {\n  throw 3\n';
  const found = tokens(grammar, text);
  for (const word of ['rule', 'never', 'test', 'throw']) {
    const all = found.filter((t) => t.text === word);
    assert.ok(all.length > 0 && all.every((t) => t.scopes.at(-1).startsWith('keyword')), word);
  }
});

test('what the snippets write is right', (t) => {
  const rulerun = command();
  if (!rulerun) {
    t.skip('there is no Go to build the command with');
    return;
  }
  const snippets = Object.values(require('../snippets/rules.json'));
  const written = (prefix) => {
    const s = snippets.find((x) => x.prefix === prefix);
    const once = (text) => text.replace(/\$\{\d+:((?:[^{}$]|\$\{\w+\})*)\}/g, '$1').replace(/\$\{TM_FILENAME_BASE\}/g, 'game').replace(/\$\d/g, '');
    return once(s.body.join('\n'));
  };
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'snippets-'));
  const house = [written('change').replace('game', 'house'), written('replace').replace('name', 'counting').replace('{\n  ', '{\n  may advance(p)\n  '),
    written('rule'), written('test').replace('moves 10 -> 13', 'yellow 13 home home home'), written('cases').replace('moves 10 -> to', 'that len(square(to).pieces) == 1'),
    `rule other "Other" {\n  ${written('on')}\n}`].join('\n\n').replace('for parchis', 'for game');
  const tests = `${written('tests').replace('game', 'beach').replace('for parchis', 'for game')}\ntest "x" {\n  expect turn yellow\n}\n`;
  fs.writeFileSync(path.join(dir, 'game.rules'), `${written('ruleset')}\n`);
  fs.writeFileSync(path.join(dir, 'house.rules'), `${house}\n`);
  fs.writeFileSync(path.join(dir, 'beach.rules'), tests);
  const out = execFileSync(rulerun, ['check', '--format', 'json', '--fail-on', 'never', dir], { encoding: 'utf8' });
  fs.rmSync(dir, { recursive: true });
  assert.deepEqual(JSON.parse(out).findings.filter((f) => f.severity === 'error').map((f) => `${f.file}:${f.line}: ${f.message}`), []);
  assert.match(written('allow'), /^\/\/ allow [a-z]+: .+$/);
});
