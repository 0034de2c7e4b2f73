// The editor of the playground: CodeMirror with a language server. TestEditor in the package above makes ../page/editor.js from it.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { bracketMatching, indentUnit } from "@codemirror/language"
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint"
import {
  LSPClient, LSPPlugin, Workspace, findReferencesKeymap, formatDocument, formatKeymap, hoverTooltips, jumpToDefinition, jumpToDefinitionKeymap,
  renameKeymap, serverCompletion,
} from "@codemirror/lsp-client"
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search"
import { EditorState, StateEffect, StateField } from "@codemirror/state"
import {
  Decoration, EditorView, WidgetType, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers, tooltips,
} from "@codemirror/view"

const language = "rulerun"
const severities = ["error", "error", "warning", "info", "hint"]

// Colours come from custom properties of the page, so that the editor follows its light and dark themes.
const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink, CanvasText)", backgroundColor: "var(--paper, Canvas)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "2px solid var(--accent, Highlight)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.5" },
  ".cm-gutters": { color: "var(--faint, GrayText)", backgroundColor: "var(--paper, Canvas)", borderRight: "1px solid var(--line, GrayText)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent, Highlight) 8%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink, CanvasText)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "color-mix(in srgb, var(--accent, Highlight) 30%, transparent)" },
  ".cm-tooltip": {
    color: "var(--ink, CanvasText)", backgroundColor: "var(--paper, Canvas)", border: "1px solid var(--line, GrayText)", borderRadius: "4px",
    maxWidth: "min(36rem, 90vw)",
  },
  ".cm-tooltip pre": { whiteSpace: "pre-wrap", overflowWrap: "anywhere", margin: "2px 0" },
  ".cm-tooltip p": { margin: "2px 0" },
  ".cm-completionInfo": { whiteSpace: "normal" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--ink, CanvasText)", backgroundColor: "color-mix(in srgb, var(--accent, Highlight) 30%, transparent)" },
  ".cm-panels": { color: "var(--ink, CanvasText)", backgroundColor: "var(--paper, Canvas)" },
  ".cm-diagnosticAction": {
    color: "var(--paper, Canvas)", backgroundColor: "var(--accent, #0a57c2)", border: "0", borderRadius: "4px", padding: "4px 8px", minHeight: "24px", font: "inherit",
  },
  ".cm-lens": {
    color: "var(--accent, LinkText)", background: "none", border: "1px solid currentColor", borderRadius: "4px", font: "inherit", fontSize: "0.75rem",
    padding: "0 6px", minHeight: "24px", marginLeft: "1em", cursor: "pointer",
  },
  ".t-keyword": { color: "var(--code-keyword, #8a1f6d)", fontWeight: "600" },
  ".t-string": { color: "var(--code-text, #1d6b2a)" },
  ".t-number": { color: "var(--code-number, #8a4b00)" },
  ".t-comment": { color: "var(--code-comment, #5b6470)", fontStyle: "italic" },
  ".t-decorator": { color: "var(--code-comment, #5b6470)" },
  ".t-function, .t-type": { color: "var(--code-function, #0a57c2)" },
  ".t-class, .t-namespace": { color: "var(--code-name, #5a3fa8)" },
  ".t-enumMember, .t-property": { color: "var(--code-property, #00636e)" },
})

// File is a document of the server with its editor.
class File {
  constructor(uri, languageId, version, view) {
    Object.assign(this, { uri, languageId, version, view, doc: view.state.doc })
  }
  getView() { return this.view }
}

// Files are the open documents: those that are edited, and a shipped one that is shown.
class Files extends Workspace {
  constructor(client, show) {
    super(client)
    this.files = []
    this.versions = {}
    this.show = show
  }
  next(uri) { return this.versions[uri] = (this.versions[uri] ?? -1) + 1 }
  syncFiles() {
    const out = []
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view)
      if (!plugin || plugin.unsyncedChanges.empty) continue
      out.push({ changes: plugin.unsyncedChanges, file, prevDoc: file.doc })
      file.doc = file.view.state.doc
      file.version = this.next(file.uri)
      plugin.clear()
    }
    return out
  }
  openFile(uri, languageId, view) {
    const file = new File(uri, languageId, this.next(uri), view)
    this.files.push(file)
    this.client.didOpen(file)
  }
  closeFile(uri) {
    if (!this.getFile(uri)) return
    this.files = this.files.filter(f => f.uri != uri)
    this.client.didClose(uri)
  }
  displayFile(uri) { return this.show(uri) }
}

// decorations is a field with decorations that an effect sets.
const decorations = effect => StateField.define({
  create: () => Decoration.none,
  update(marks, tr) {
    marks = marks.map(tr.changes)
    for (const e of tr.effects) if (e.is(effect)) marks = e.value
    return marks
  },
  provide: f => EditorView.decorations.from(f),
})

// Names and other words are coloured by the server.
const setTokens = StateEffect.define(), tokens = decorations(setTokens)

// Lens is a button behind the first line of a test that runs it.
class Lens extends WidgetType {
  constructor(command, run, label) {
    super()
    Object.assign(this, { command, run, label })
  }
  eq(other) { return JSON.stringify(this.command) == JSON.stringify(other.command) }
  toDOM() {
    const button = document.createElement("button")
    button.className = "cm-lens"
    button.type = "button"
    button.textContent = "▶ " + this.command.title
    if (this.command.arguments[1]) button.setAttribute("aria-label", this.label(this.command.arguments[1]))
    button.onclick = () => this.run(this.command)
    return button
  }
  ignoreEvent() { return true }
}
const setLenses = StateEffect.define(), lenses = decorations(setLenses)

// offset is the offset of a line and a character, or the end of the text.
function offset(doc, at) {
  if (at.line >= doc.lines) return doc.length
  const line = doc.line(at.line + 1)
  return Math.min(line.to, line.from + at.character)
}

// open makes an editor in an element, for several files of which one is shown.
//   files      their texts by name
//   name       the name of the one that is shown
//   transport  carries messages in JSON to a language server and back: {send(text), subscribe(f), unsubscribe(f)}
//   changed    is called after each change
//   said       is called with a message of the server and whether it is an error
//   found      is called with the number of errors and of other findings in all files
//   shown      is called with the name of a file when the server shows another one
//   words      has the texts of the editor: label(file) and run(test) for screen readers, phrases for what CodeMirror says, back for the
//              button that leads back
// It returns an object with the methods below.
export function open({ parent, files, name, transport, changed, said, found, shown, words }) {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" }) // its styles need no exception from the security policy
  const box = document.createElement("div")
  box.style.height = "100%"
  root.append(box)
  const own = new Map()    // the editors of the files, by name
  const counts = new Map() // [errors, others], by name
  let foreign              // a shipped file that is shown: {view, bar}

  const client = new LSPClient({
    timeout: 30_000,
    workspace: client => new Files(client, show),
    sanitizeHTML: plainHTML,
    notificationHandlers: {
      "window/showMessage": (_, params) => {
        said?.(params.message, params.type == 1)
        return true
      },
      "textDocument/publishDiagnostics": (client, params) => {
        const file = client.workspace.getFile(params.uri)
        if (file && (params.version == null || params.version == file.version)) publish(file, params.diagnostics)
        return true
      },
    },
    extensions: [
      { clientCapabilities: { textDocument: { publishDiagnostics: { versionSupport: true }, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } }, workspace: { textDocumentContent: {} } } },
      serverCompletion({ override: true }), hoverTooltips(),
      keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
      EditorView.updateListener.of(update => {
        if (!update.docChanged) return
        clearTimeout(syncing)
        syncing = setTimeout(() => client.sync(), 150)
        changed?.()
      }),
      EditorView.domEventHandlers({
        mousedown(event, view) {
          if (!event.ctrlKey && !event.metaKey) return false
          const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
          if (at == null) return false
          view.dispatch({ selection: { anchor: at } })
          return jumpToDefinition(view)
        },
      }),
    ],
  })
  let syncing

  function editor(uri, text, more) {
    return new EditorView({
      root, parent: box,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), bracketMatching(), closeBrackets(),
          autocompletion({ icons: false }), highlightActiveLine(), highlightSelectionMatches(), lintGutter(), tokens, lenses, indentUnit.of("  "), theme,
          tooltips({ position: "fixed" }), EditorView.lineWrapping,
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
          EditorState.phrases.of(words.phrases),
          EditorView.contentAttributes.of({ "aria-label": words.label(uri.replace(/^[a-z]+:\/+/, "")) }),
          more ?? [], client.plugin(uri, language),
        ],
      }),
    })
  }

  // publish shows findings with their fixes, then the colours and the buttons of tests. Findings are shown once: showing them
  // again would close what a pointer that rests on one has opened.
  async function publish(file, list) {
    const { view, version, uri } = file, plugin = LSPPlugin.get(view), doc = plugin.syncedDoc
    const textDocument = { uri }
    const current = () => !closed && client.workspace.getFile(uri) == file && file.version == version
    const ask = (method, params) => client.request(method, params).catch(() => null)
    const actions = list.length == 0 ? [] : await ask("textDocument/codeAction", {
      textDocument, context: { diagnostics: list }, range: { start: { line: 0, character: 0 }, end: plugin.toPosition(doc.length, doc) },
    }) ?? []
    if (!current()) return
    const place = at => plugin.unsyncedChanges.mapPos(offset(doc, at))
    const same = (a, b) => plain(a.message) == plain(b.message) && JSON.stringify(a.range) == JSON.stringify(b.range)
    view.dispatch(setDiagnostics(view.state, list.map(d => ({
      from: place(d.range.start), to: place(d.range.end), severity: severities[d.severity ?? 1], message: plain(d.message),
      actions: actions.filter(a => a.edit && a.diagnostics?.some(x => same(x, d))).map(a => ({ name: a.title, apply: view => fix(view, uri, a.edit) })),
    }))))
    const mine = [...own].find(([, v]) => v == view)?.[0]
    if (mine) {
      const errors = list.filter(d => (d.severity ?? 1) == 1).length
      counts.set(mine, [errors, list.length - errors])
      found?.(...[0, 1].map(i => [...counts.values()].reduce((sum, c) => sum + c[i], 0)))
    }
    const [coloured, buttons] = await Promise.all([ask("textDocument/semanticTokens/full", { textDocument }), ask("textDocument/codeLens", { textDocument })])
    if (!current() || !plugin.unsyncedChanges.empty) return
    const legend = client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? []
    view.dispatch({ effects: [setTokens.of(marks(doc, coloured?.data ?? [], legend)), setLenses.of(mine ? buttonsOf(doc, buttons ?? []) : Decoration.none)] })
  }

  function fix(view, uri, edit) {
    const changes = (edit.changes?.[uri] ?? []).map(e => ({ from: offset(view.state.doc, e.range.start), to: offset(view.state.doc, e.range.end), insert: e.newText }))
    view.dispatch({ changes, userEvent: "input.fix" })
  }

  function buttonsOf(doc, list) {
    const out = list.map(l => Decoration.widget({ widget: new Lens(l.command, run, words.run), side: 1 }).range(doc.line(l.range.start.line + 1).to))
    return Decoration.set(out, true)
  }

  function run(command) {
    client.sync()
    client.request("workspace/executeCommand", command).catch(e => said?.(e.message ?? String(e), true))
  }

  // show shows a file. One that is not edited here cannot be changed.
  async function show(uri) {
    const mine = uri.replace(/^file:\/+/, "")
    if (own.has(mine)) {
      choose(mine)
      shown?.(mine)
      return own.get(mine)
    }
    const text = (await client.request("workspace/textDocumentContent", { uri }).catch(() => null))?.text
    if (text == null || closed) return null
    back()
    const bar = document.createElement("div")
    bar.style.cssText = "display: flex; gap: 1em; align-items: center; padding: 4px 8px; color: var(--ink, CanvasText)"
    const button = document.createElement("button")
    button.textContent = words.back
    button.type = "button"
    button.style.cssText = "min-height: 24px; font: inherit"
    button.onclick = () => { back(); own.get(name).focus() }
    bar.append(button, uri.replace(/^[a-z]+:\/+/, ""))
    own.get(name).dom.style.display = "none"
    box.append(bar)
    const view = editor(uri, text, [EditorState.readOnly.of(true)])
    view.dom.style.height = "calc(100% - 2.5rem)"
    foreign = { view, bar }
    return view
  }
  function back() {
    foreign?.view.destroy()
    foreign?.bar.remove()
    foreign = undefined
    own.get(name).dom.style.display = ""
  }
  function choose(other) {
    back()
    name = other
    for (const [n, view] of own) view.dom.style.display = n == name ? "" : "none"
  }

  let closed = false
  for (const n of [name, ...Object.keys(files).filter(n => n != name)]) own.set(n, editor("file:///" + n, files[n]))
  choose(name)
  client.connect(transport)
  return {
    // texts are the files as they are now.
    texts: () => Object.fromEntries([...own].map(([n, view]) => [n, view.state.doc.toString()])),
    choose,
    focus: () => own.get(name).focus(),
    format: () => formatDocument(own.get(name)),
    // append adds a text at the end of the file that is shown.
    append(text) {
      back()
      const view = own.get(name), end = view.state.doc.length, last = view.state.doc.line(view.state.doc.lines)
      const insert = (last.length ? "\n\n" : "\n") + text
      view.dispatch({ changes: { from: end, insert }, selection: { anchor: end + insert.length }, effects: EditorView.scrollIntoView(end + insert.length) })
      view.focus()
    },
    close() {
      closed = true
      back()
      for (const view of own.values()) view.destroy()
      client.disconnect()
      box.remove()
    },
  }
}

// plain is the text of a message.
function plain(message) { return typeof message == "string" ? message : message.value }

// marks are the colours of the server: of each token the lines and characters since the one before, its length and kind.
function marks(doc, data, legend) {
  const out = []
  let line = 0, character = 0
  for (let i = 0; i + 4 < data.length; i += 5) {
    if (data[i]) character = 0
    line += data[i]
    character += data[i + 1]
    const kind = legend[data[i + 3]]
    if (line >= doc.lines || !kind) continue
    const from = doc.line(line + 1).from + character, to = Math.min(from + data[i + 2], doc.length)
    if (to > from) out.push(Decoration.mark({ class: "t-" + kind }).range(from, to))
  }
  return Decoration.set(out, true)
}

// plainHTML removes from a text in HTML all elements but those of plain documents, and all attributes.
const allowed = new Set(["P", "PRE", "CODE", "EM", "STRONG", "UL", "OL", "LI", "BR", "H1", "H2", "H3", "H4", "TABLE", "THEAD", "TBODY", "TR", "TH", "TD", "BLOCKQUOTE", "HR"])
function plainHTML(html) {
  const doc = new DOMParser().parseFromString(html, "text/html")
  for (const e of [...doc.body.querySelectorAll("*")]) {
    if (!allowed.has(e.tagName)) e.replaceWith(e.textContent)
    else for (const a of [...e.attributes]) e.removeAttribute(a.name)
  }
  return doc.body.innerHTML
}
