'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const zlib = require('node:zlib');

const { repository } = require('./command');

const top = path.join(__dirname, '..');
const manifest = require('../package.json');

/** The files of a zip archive by name, read from its directory at the end. */
function unzip(data) {
  const out = new Map();
  const end = data.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = data.readUInt32LE(end + 16);
  for (let n = data.readUInt16LE(end + 10); n > 0; n--) {
    const [method, size] = [data.readUInt16LE(at + 10), data.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((o) => data.readUInt16LE(at + o));
    const local = data.readUInt32LE(at + 42);
    const from = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28);
    const bytes = data.subarray(from, from + size);
    out.set(data.toString('utf8', at + 46, at + 46 + name), method === 8 ? zlib.inflateRawSync(bytes) : bytes);
    at += 46 + name + extra + comment;
  }
  return out;
}

const packed = unzip(fs.readFileSync(path.join(top, `rulerun-${manifest.version}.vsix`)));

test('the package holds what it should and nothing else', () => {
  const names = [...packed.keys()].filter((n) => n.startsWith('extension/') && !n.endsWith('/')).map((n) => n.slice('extension/'.length));
  assert.deepEqual(names.sort(), [
    'LICENSE.txt', 'changelog.md', 'clauses-configuration.json', 'dist/extension.js', 'icon.png', 'language-configuration.json', 'package.json',
    'readme.md', 'schemas/board.schema.json', 'snippets/rules.json', 'syntaxes/clauses.tmLanguage.json', 'syntaxes/rules.tmLanguage.json',
  ]);
});

test('every file that is spoken of is there', () => {
  const files = [manifest.main, manifest.icon];
  const { contributes } = manifest;
  contributes.languages.forEach((l) => files.push(l.configuration));
  [...contributes.grammars, ...contributes.snippets].forEach((g) => files.push(g.path));
  contributes.yamlValidation.forEach((y) => files.push(y.url));
  for (const f of files) {
    assert.ok(packed.has(path.posix.join('extension', f)), f);
  }
  for (const { language } of [...contributes.grammars, ...contributes.snippets]) {
    assert.ok(contributes.languages.some((l) => l.id === language), language);
  }
});

test('the schema is that of the boards', () => {
  const schema = packed.get('extension/schemas/board.schema.json');
  assert.deepEqual(schema, fs.readFileSync(path.join(repository, 'boards/board.schema.json')));
});

test('what the editor offers is what the extension has', () => {
  const bundle = packed.get('extension/dist/extension.js').toString();
  for (const { command } of manifest.contributes.commands) {
    assert.ok(bundle.includes(`"${command}"`), command);
  }
  const used = [...bundle.matchAll(/["'](rulerun\.(?:command|arguments))["']/g)].map((m) => m[1]);
  assert.deepEqual([...new Set(used)].sort(), ['rulerun.arguments', 'rulerun.command']);
  for (const name of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations) {
    assert.ok(manifest.contributes.configuration.properties[name], name);
  }
});

test('what check prints is found by the problem matcher', () => {
  const { regexp, file, line, column, severity, message, code } = manifest.contributes.problemPatterns[0];
  const m = new RegExp(regexp).exec('rules/beach.rules:4:13: error: board "cross68" has no zone "hme" [unknown-zone]');
  assert.deepEqual([file, line, column, severity, message, code].map((i) => m[i]),
    ['rules/beach.rules', '4', '13', 'error', 'board "cross68" has no zone "hme"', 'unknown-zone']);
  assert.equal(new RegExp(regexp).exec('2 files: 2 errors, 4 warnings'), null);
});

test('the patterns of the language configuration', () => {
  const { indentationRules, wordPattern } = require('../language-configuration.json');
  const [more, less] = [indentationRules.increaseIndentPattern, indentationRules.decreaseIndentPattern].map((p) => new RegExp(p));
  for (const opening of ['turn {', 'rule a "A {" { // so', '  on move(p) {', 'let a = (']) {
    assert.ok(more.test(opening), opening);
  }
  for (const other of ['turn { throw die }', 'rule a "A {"', 'let a = 1 // {', '}']) {
    assert.ok(!more.test(other), other);
  }
  assert.ok(less.test('  } else {') && !less.test('  play die'));
  assert.deepEqual('año_1 -> x2'.match(new RegExp(wordPattern.pattern, `g${wordPattern.flags}`)), ['año_1', 'x2']);
  assert.ok(new RegExp(manifest.contributes.languages[0].firstLine).test('change año "A" for b'));
});
