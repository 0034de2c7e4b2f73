// The client of the language server `rulerun lsp`, with a few commands that the server cannot have.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { RulesOnly } = require('./rulesonly');
const { Tasks } = require('./tasks');

/** A client that says once why it does not start, not at every level it passes through. */
class Client extends LanguageClient {
  starting = true;

  /**
   * @override
   * @param {string} message
   * @param {any} [data]
   * @param {boolean | 'force'} [show]
   */
  error(message, data, show) {
    super.error(message, data, this.starting ? false : show);
  }
}

/** @type {Client | undefined} */
let client;

/** Starts the language server as the settings say. Why it cannot be started is told to the person. */
async function start() {
  const settings = vscode.workspace.getConfiguration('rulerun');
  const command = commandOf(settings);
  const made = new Client(
    'rulerun', // the setting rulerun.trace.server is found by this name
    'rulerun',
    { command, args: settings.get('arguments', ['lsp']) },
    {
      documentSelector: [
        { scheme: 'file', language: 'rulerun' },
        { scheme: 'untitled', language: 'rulerun' },
        { scheme: 'file', language: 'yaml' }, // boards; the server lets other files pass
        { scheme: 'file', language: 'rulerun-clauses' },
      ],
    },
  );
  made.registerFeature(new RulesOnly(made));
  client = made;
  try {
    await made.start();
    made.starting = false;
  } catch (err) {
    if (client === made) {
      client = undefined;
    }
    const open = 'Open the settings';
    const why = err instanceof Error ? err.message : String(err);
    vscode.window.showErrorMessage(`${command} does not start: ${why}`, open).then((chosen) => {
      if (chosen === open) {
        vscode.commands.executeCommand('workbench.action.openSettings', 'rulerun.command');
      }
    });
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.dispose();
}

async function restart() {
  await stop();
  await start();
}

/**
 * The command of the settings, in the first folder of the workspace where they say so.
 * @param {vscode.WorkspaceConfiguration} settings
 * @returns {string}
 */
function commandOf(settings) {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  return settings.get('command', 'rulerun').replaceAll('${workspaceFolder}', folder) || 'rulerun';
}

/** The rule file that is being edited. */
function edited() {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'rulerun' ? document : undefined;
}

/** Runs the tests of the rule file that is edited, as the lens at its header does; failures show in place. */
async function runFile() {
  const document = edited();
  if (document && client) {
    await vscode.commands.executeCommand('rulerun.runTests', client.code2ProtocolConverter.asUri(document.uri));
  }
}

/**
 * Checks the rule file that is edited and explores it by playing, in a terminal.
 * @param {Tasks} tasks
 */
async function explore(tasks) {
  const document = edited();
  if (!document || document.isUntitled || !(await document.save())) {
    return;
  }
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  await vscode.tasks.executeTask(tasks.make(folder, ['check', '--explore', document.uri.fsPath], 'explore'));
}

/**
 * The editor calls this when the first rule file is opened.
 * @param {vscode.ExtensionContext} context
 */
async function activate(context) {
  const tasks = new Tasks(() => commandOf(vscode.workspace.getConfiguration('rulerun')));
  context.subscriptions.push(
    vscode.commands.registerCommand('rulerun.restart', restart),
    vscode.commands.registerCommand('rulerun.runFile', runFile),
    vscode.commands.registerCommand('rulerun.explore', () => explore(tasks)),
    vscode.tasks.registerTaskProvider('rulerun', tasks),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration('rulerun.command') || e.affectsConfiguration('rulerun.arguments')) {
        return restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
