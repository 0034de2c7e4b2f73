// The rulerun command of this repository, built anew, and its rule files.
'use strict';

const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const repository = path.join(__dirname, '../../../..');

let built;

/** The path of the command; undefined where there is no Go to build it with. RULERUN names one that is built already. */
function command() {
  if (process.env.RULERUN) {
    return process.env.RULERUN;
  }
  if (built === undefined && spawnSync('go', ['version']).status === 0) {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'rulerun-'));
    process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
    built = path.join(dir, process.platform === 'win32' ? 'rulerun.exe' : 'rulerun');
    execFileSync('go', ['build', '-o', built, './cmd/rulerun'], { cwd: repository, stdio: 'inherit' });
  }
  return built;
}

/** The files below some folders of the repository whose names end so. */
function files(ending, ...folders) {
  const out = [];
  const walk = (dir) => {
    for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
      const file = path.join(dir, e.name);
      if (e.isDirectory() && e.name !== 'node_modules') {
        walk(file);
      } else if (e.name.endsWith(ending)) {
        out.push(file);
      }
    }
  };
  folders.forEach((f) => walk(path.join(repository, f)));
  return out.sort();
}

module.exports = { command, files, repository };
