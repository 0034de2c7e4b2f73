// A stand-in for the module `vscode`: enough of it for the client to speak with a real server. What the client registers
// with the editor is kept, so that a test can call it as the editor would.
'use strict';

const fs = require('node:fs');
const { fileURLToPath, pathToFileURL } = require('node:url');

class Disposable {
  constructor(dispose = () => {}) {
    this.dispose = dispose;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((d) => d.dispose()));
  }
}

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener, self, disposables) => {
      const call = (e) => listener.call(self, e);
      this.listeners.add(call);
      const d = new Disposable(() => this.listeners.delete(call));
      disposables?.push(d);
      return d;
    };
  }
  fire(e) {
    return Promise.all([...this.listeners].map((l) => l(e)));
  }
  dispose() {
    this.listeners.clear();
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(a, b, c, d) {
    [this.start, this.end] = typeof a === 'object' ? [a, b] : [new Position(a, b), new Position(c, d)];
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.slice(0, text.indexOf(':'));
    this.fsPath = this.scheme === 'file' ? fileURLToPath(text) : text;
    this.path = this.fsPath;
  }
  toString() {
    return this.text;
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(name) {
    return new Uri(pathToFileURL(name).href);
  }
}

class CancellationTokenSource {
  constructor() {
    this.emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  }
  cancel() {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose() {}
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class CodeLens {
  constructor(range, command) {
    Object.assign(this, { range, command });
  }
}

class SemanticTokensLegend {
  constructor(tokenTypes, tokenModifiers) {
    Object.assign(this, { tokenTypes, tokenModifiers });
  }
}

class SemanticTokens {
  constructor(data) {
    this.data = data;
  }
}

class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { range, newText });
  }
}

class ProcessExecution {
  constructor(process, args, options) {
    Object.assign(this, { process, args, options });
  }
}

class Task {
  constructor(definition, scope, name, source, execution, problemMatchers) {
    Object.assign(this, { definition, scope, name, source, execution, problemMatchers });
  }
}

/** Makes the module anew, in a workspace with one folder. settings are those of the section rulerun. */
function stub(folder, settings) {
  const registered = { commands: new Map(), providers: [], taskProviders: new Map(), tasks: [], shown: [], diagnostics: new Map(), watched: [] };
  const events = {};
  const event = (name) => (events[name] ??= new EventEmitter()).event;
  const channel = () => ({ logLevel: 3, onDidChangeLogLevel: event('level'), append() {}, appendLine() {}, info() {}, warn() {}, error() {}, debug() {}, trace() {}, replace() {}, clear() {}, show() {}, hide() {}, dispose() {} });
  const provider = (kind) => (selector, ...rest) => {
    const entry = { kind, selector, provider: rest[0], rest };
    registered.providers.push(entry);
    return new Disposable(() => registered.providers.splice(registered.providers.indexOf(entry), 1));
  };
  const show = (level) => async (message, ...buttons) => void registered.shown.push({ level, message, buttons });
  const numbers = (...names) => Object.fromEntries(names.flatMap((n, i) => [[n, i], [i, n]]));
  const workspaceFolder = { uri: Uri.file(folder), name: 'rules', index: 0 };
  const vscode = {
    version: '1.91.0',
    Disposable, EventEmitter, Position, Range, Uri, CancellationTokenSource, Diagnostic, CodeLens, SemanticTokensLegend, SemanticTokens, TextEdit, Task, ProcessExecution,
    CancellationError: class extends Error {},
    Selection: class extends Range {},
    Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
    MarkdownString: class { constructor(value) { this.value = value; } appendCodeblock() {} },
    Hover: class { constructor(contents, range) { Object.assign(this, { contents, range }); } },
    CodeActionKind: Object.fromEntries(['Empty', 'QuickFix', 'Refactor', 'RefactorExtract', 'RefactorInline', 'RefactorMove', 'RefactorRewrite', 'Source', 'SourceOrganizeImports', 'SourceFixAll', 'Notebook'].map((n) => [n, { value: n, append: () => ({}) }])),
    DiagnosticSeverity: numbers('Error', 'Warning', 'Information', 'Hint'),
    TaskScope: { Global: 1, Workspace: 2 },
    TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
    ConfigurationTarget: { Global: 1, Workspace: 2, WorkspaceFolder: 3 },
    env: { appName: 'test', language: 'en', createTelemetryLogger: () => ({ dispose() {} }) },
    l10n: { t: (s) => s },
    extensions: { getExtension: () => undefined, all: [] },
    commands: {
      registerCommand(name, run) {
        registered.commands.set(name, run);
        return new Disposable(() => registered.commands.delete(name));
      },
      executeCommand: async (name, ...args) => registered.commands.get(name)?.(...args),
    },
    window: {
      activeTextEditor: undefined, visibleTextEditors: [],
      tabGroups: { all: [], onDidChangeTabs: event('tabs'), onDidChangeTabGroups: event('tabGroups') },
      createOutputChannel: channel,
      showInformationMessage: show('info'), showWarningMessage: show('warning'), showErrorMessage: show('error'),
      withProgress: (_, run) => run({ report() {} }, new CancellationTokenSource().token),
    },
    tasks: {
      registerTaskProvider(type, p) {
        registered.taskProviders.set(type, p);
        return new Disposable();
      },
      executeTask: async (task) => void registered.tasks.push(task),
    },
    workspace: {
      textDocuments: [], notebookDocuments: [], workspaceFolders: [workspaceFolder], isTrusted: true, fs: {},
      getConfiguration: (section) => ({
        get: (name, otherwise) => (section === 'rulerun' ? settings[name] : undefined) ?? otherwise,
        has: () => false, inspect: () => undefined, update: async () => {},
      }),
      getWorkspaceFolder: (uri) => (uri.fsPath.startsWith(folder) ? workspaceFolder : undefined),
      createFileSystemWatcher(pattern) {
        registered.watched.push(pattern);
        return { onDidCreate: event('created'), onDidChange: event('changed'), onDidDelete: event('deleted'), dispose() {} };
      },
    },
    languages: {
      match(selector, document) {
        const fits = (s) => typeof s === 'string' ? s === document.languageId : (!s.language || s.language === document.languageId) && (!s.scheme || s.scheme === document.uri.scheme);
        return [selector].flat().some(fits) ? 10 : 0;
      },
      createDiagnosticCollection: () => ({
        set: (uri, list) => registered.diagnostics.set(uri.toString(), list),
        delete: (uri) => registered.diagnostics.delete(uri.toString()),
        clear: () => registered.diagnostics.clear(), has: () => false, get: () => [], forEach() {}, dispose() {},
      }),
    },
  };
  // What is not named above: an event nobody fires, the registration of a provider, or a class or enumeration that the
  // client has to see but does not use here.
  const rest = (target, otherwise) => new Proxy(target, { get: (t, name) => (name in t || typeof name === 'symbol' ? t[name] : (t[name] = otherwise(name))) });
  for (const part of ['window', 'workspace', 'languages']) {
    vscode[part] = rest(vscode[part], (name) => {
      if (/^on(Did|Will)/.test(name)) {
        return event(name);
      }
      if (/^register/.test(name)) {
        return provider(name.replace(/^register|Provider$/g, ''));
      }
      throw new Error(`the stand-in has no ${part}.${name}`);
    });
  }
  const module = rest(vscode, (name) => ({ [name]: class {} })[name]);

  /** Opens a file of the disk, as the editor would. */
  const open = async (file, languageId) => {
    let text = fs.readFileSync(file, 'utf8');
    const document = {
      uri: Uri.file(file), fileName: file, languageId, version: 1, isDirty: false, isUntitled: false, isClosed: false,
      getText: () => text, save: async () => true, lineAt: (line) => ({ text: text.split('\n')[line] }),
      replace: async (to) => {
        const lines = text.split('\n');
        const range = new Range(0, 0, lines.length - 1, lines.at(-1).length);
        text = to;
        document.version++;
        await events.onDidChangeTextDocument?.fire({ document, contentChanges: [{ range, rangeOffset: 0, rangeLength: 0, text: to }], reason: undefined });
      },
    };
    vscode.workspace.textDocuments.push(document);
    vscode.window.activeTextEditor = { document };
    await events.onDidOpenTextDocument?.fire(document);
    return document;
  };
  return { module, registered, events, open };
}

module.exports = { stub, Position };
