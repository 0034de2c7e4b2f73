'use strict';

/** @typedef {import('vscode-languageclient').StaticFeature} StaticFeature */
/** @typedef {import('vscode-languageclient').DynamicFeature<any>} DynamicFeature */

/** What the server does for rule files alone: the names of its capabilities, and the requests they stand for. */
const abilities = /** @type {const} */ ({
  documentFormattingProvider: 'textDocument/formatting',
  foldingRangeProvider: 'textDocument/foldingRange',
  completionProvider: 'textDocument/completion',
  codeLensProvider: 'textDocument/codeLens',
  semanticTokensProvider: 'textDocument/semanticTokens',
});

/**
 * Keeps these abilities away from YAML files, where an editor would ask which of two formatters to take, and fold nothing
 * as an empty answer goes before its own folding. The server says once what it can do, of whatever file; this takes them
 * out of its answer and registers them for rule files.
 * @implements {StaticFeature}
 */
class RulesOnly {
  /** @param {import('vscode-languageclient').BaseLanguageClient} client */
  constructor(client) {
    this.client = client;
    /** @type {Map<string, object>} */
    this.options = new Map();
  }

  /** @param {import('vscode-languageclient').ServerCapabilities} server */
  preInitialize(server) {
    this.options.clear();
    for (const name of /** @type {(keyof typeof abilities)[]} */ (Object.keys(abilities))) {
      const ability = server[name];
      if (ability) {
        this.options.set(abilities[name], typeof ability === 'object' ? ability : {});
        server[name] = undefined;
      }
    }
  }

  initialize() {
    for (const [request, options] of this.options) {
      const feature = /** @type {DynamicFeature} */ (this.client.getFeature(/** @type {any} */ (request)));
      feature.register({ id: `rulerun:${request}`, registerOptions: { ...options, documentSelector: [{ language: 'rulerun' }] } });
    }
  }

  fillClientCapabilities() {}

  getState() {
    return { kind: /** @type {const} */ ('static') };
  }

  clear() {
    this.options.clear();
  }
}

module.exports = { RulesOnly };
