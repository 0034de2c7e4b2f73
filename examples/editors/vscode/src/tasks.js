'use strict';

const vscode = require('vscode');

/**
 * The tasks of the command: check and test for every folder of the workspace, and whatever tasks.json says.
 * @implements {vscode.TaskProvider}
 */
class Tasks {
  /** @param {() => string} command says which command is run */
  constructor(command) {
    this.command = command;
  }

  /**
   * A task that runs the command in a terminal; what it finds goes to the list of problems.
   * @param {vscode.WorkspaceFolder | undefined} folder where it runs
   * @param {string[]} args the verb and what follows
   * @param {string} name
   */
  make(folder, args, name) {
    const run = new vscode.ProcessExecution(this.command(), args, folder ? { cwd: folder.uri.fsPath } : undefined);
    return new vscode.Task({ type: 'rulerun', arguments: args }, folder ?? vscode.TaskScope.Workspace, name, 'rulerun', run, '$rulerun');
  }

  provideTasks() {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return folders.flatMap((folder) => ['check', 'test'].map((verb) => this.make(folder, [verb, '.'], verb)));
  }

  /** @param {vscode.Task} task one of tasks.json, that says only its arguments */
  resolveTask(task) {
    const { scope, definition } = task;
    const folder = typeof scope === 'object' ? scope : undefined;
    const args = Array.isArray(definition.arguments) ? definition.arguments.map(String) : [];
    const made = this.make(folder, args, task.name);
    made.definition = definition; // the editor wants the very same one
    return made;
  }
}

module.exports = { Tasks };
