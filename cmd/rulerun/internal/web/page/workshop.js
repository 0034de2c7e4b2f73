// The playground: the rules of the game on one side, written and played at once.

import { call, keeps, Fault } from './door.js'
import { dialog } from './dialogs.js'
import { find, make, sentence } from './dom.js'
import { open as openEditor } from './editor.js'
import { linkOf } from './link.js'
import * as language from './language.js'

let shop = null // the open workshop

// open opens the workshop beside a game, with rules {rules, with, files}: texts by name, the rule book and the changes applied to it.
// Without them it is with those of the game.
export async function open(game, given) {
  if (shop) {
    if (given) shop.load(given)
    return shop.editor.focus()
  }
  const source = given ?? await begin(game)
  if (source) shop = new Workshop(game, source)
}

// begin asks what is to be written.
async function begin(game) {
  const { rules, with: changes } = game.state
  try { // the page may have been loaded again
    const draft = JSON.parse(sessionStorage.getItem('rulerun-draft'))
    if (draft && same(draft, game.state)) return draft
  } catch { /* there is none */ }
  const { source } = await call({ do: 'source', rules, ...(changes ? { with: changes } : {}), ...game.texts })
  const text = source.files[source.rules]
  if (changes || !/^ruleset\b/m.test(text)) return source // a house rule is changed itself
  const how = await dialog('Write rules', make('p', {}, `A house rule says what is different from ${game.state.title}. Or change a copy of the whole rule book.`),
    [['A house rule', 'house'], ['The whole rule book', 'whole'], ['Cancel', '']])
  if (how === 'whole') return source
  if (how !== 'house') return null
  const { book } = await call({ do: 'book', rules, ...game.texts })
  const base = /^ruleset[ \t]+([a-z][a-z0-9_]*)/m.exec(text)[1]
  const shipped = base + '.rules' === source.rules && !game.texts.files
  return { rules: 'ours.rules', files: { ...(shipped ? {} : source.files), 'ours.rules': template(base, book) } }
}

const same = (a, b) => a.rules === b.rules && (a.with ?? []).join() === (b.with ?? []).join()

// template is a house rule that sets an option, if the rule book has one.
function template(base, book) {
  const options = book.options ?? []
  const other = o => o.values?.find(v => v !== o.default) ?? (o.number || /^[0-9]+$/.test(o.default) ? String(Number(o.default) + 1) : null)
  const word = v => /^(true|false|-?[0-9]+)$/.test(v) ? v : JSON.stringify(v)
  const first = options.find(o => /^[0-9]+$/.test(o.default) && other(o)) ?? options.find(other)
  const list = options.map(o => `//   ${o.name} = ${word(o.default)}${o.words ? '  ' + o.words : ''}`)
  return `// A house rule: what is different at our table, and why.\nchange ours "Our table" for ${base}\n\n` +
    (first ? `// Options that can be set, as they are there:\n${list.join('\n')}\nset ${first.name} = ${word(other(first))}\n`
      : `// "without NAME" takes a rule away, "replace rule NAME" says it anew.\n`)
}

class Workshop {
  constructor(game, source) {
    this.game = game
    const button = (text, key, act, main) => make('button', { type: 'button', class: main ? 'main' : null, title: key, onclick: () => this.try(act) }, text)
    this.title = make('h2', {})
    this.choice = make('select', { 'aria-label': 'File', onchange: () => { this.show(this.choice.value); this.editor.focus() } })
    this.found = make('span', { class: 'found' })
    this.status = make('p', { class: 'status', role: 'status' })
    this.host = make('div', { class: 'editor' })
    this.figures = make('div', { class: 'figures', hidden: true })
    this.box = make('section', { id: 'workshop', 'aria-label': 'Rules' },
      make('div', { class: 'row' }, this.title, this.choice, this.found, make('span', { class: 'grow' }), button('Close', 'Close the rules', () => this.close())),
      make('div', { class: 'row' },
        button('Play on', 'Play this from the position on the board (Ctrl-Enter)', () => this.play(true), true),
        button('New game', 'Begin a game by these rules', () => this.play(false)),
        button('Expect this', 'Write what was just played as a test', () => this.expect()),
        button('Compare', 'Play some seconds of games with and without this', () => this.compare()),
        button('Format', 'Format (Shift-Alt-F)', () => this.editor.format()),
        button('Link', 'A link that carries these rules', () => this.link()),
        button('Save', 'Save the file', () => this.save())),
      this.status, this.host, this.figures)
    find('main').prepend(this.box)
    document.body.classList.add('writing')
    this.box.addEventListener('keydown', e => {
      if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
        e.preventDefault()
        e.stopPropagation()
        this.try(() => this.play(true))
      }
    }, true)
    this.box.addEventListener('keydown', e => e.stopPropagation()) // the keys of the game are letters here
    this.load(source)
  }

  // load puts rules into the editor.
  load({ rules, with: changes, files }) {
    this.pick = { rules, ...(changes ? { with: changes } : {}) }
    const first = changes?.at(-1) ?? rules
    const names = [first, ...Object.keys(files).filter(n => n !== first)]
    this.choice.replaceChildren(...names.map(n => make('option', {}, n)))
    this.choice.hidden = names.length === 1
    this.title.hidden = !this.choice.hidden
    this.shut()
    this.wire = language.connect(text => { this.said(text) })
    this.editor = openEditor({
      parent: this.host, files, name: first, transport: this.wire,
      words: { label: file => `Rules: ${file}`, run: test => `run the test ${test}`, back: '← Back' },
      changed: () => { this.keep() },
      shown: name => this.show(name),
      said: (text, fault) => this.said(text, fault),
      found: (errors, others) => {
        const words = [[errors, 'mistake'], [others, 'remark']].filter(([n]) => n).map(([n, what]) => `${n} ${what}${n > 1 ? 's' : ''}`)
        this.found.textContent = words.join(', ') || 'no findings'
        this.found.classList.toggle('wrong', errors > 0)
        this.box.dataset.found = `${errors} ${others}`
      },
    })
    this.show(first)
    this.editor.focus()
    this.keep()
  }

  // show shows one of the files.
  show(name) {
    this.name = this.title.textContent = this.choice.value = name
    this.editor.choose(name)
  }

  shut() {
    this.editor?.close()
    this.wire?.close()
  }

  said(text, fault) {
    this.status.textContent = /^[\w.]+:[0-9]+:/.test(text) ? text : sentence(text) // the name of a file keeps its letters
    this.status.classList.toggle('fault', !!fault)
  }

  async try(act) {
    try {
      await act()
    } catch (e) {
      if (!(e instanceof Fault)) throw e
      this.said(e.message, true)
    }
  }

  // texts are the rules as they are in the editor.
  get texts() { return { ...this.pick, files: this.editor.texts() } }

  // keep stores the texts for a page that is loaded again.
  keep() {
    try { sessionStorage.setItem('rulerun-draft', JSON.stringify(this.texts)) } catch { /* there is no room */ }
  }

  // play goes on with the rules of the editor, or begins a game by them.
  async play(on) {
    const { game, texts } = this
    const request = { do: 'new', shared: true, ...texts }
    if (on) request.from = game.id
    else if (game.state) request.seats = game.state.seats.map(s => s.plays)
    let answer
    try {
      answer = await call(request)
    } catch (e) {
      if (on || !(e instanceof Fault)) throw e
      delete request.seats // as many may not play by these rules
      answer = await call(request)
    }
    await game.open({ ...answer, files: texts.files })
    this.said(on ? 'These rules are played now, from where you were.' : 'A game by these rules has begun.')
  }

  // expect writes what was just played as a test.
  async expect() {
    const name = `what we played ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`
    const { text } = await call({ do: 'test', shared: true, game: this.game.id, text: name })
    this.editor.append(text)
    this.said('The test is at the end: change what it expects, and run it.')
  }

  // compare shows what the change does to games.
  async compare() {
    if (this.comparing) return
    this.comparing = true
    this.figures.hidden = false
    this.figures.replaceChildren(make('p', { role: 'status' }, 'Playing games with and without the change…'))
    this.box.dataset.compared = ''
    try {
      const { lines } = await language.aside({ do: 'compare', ...this.texts })
      this.figures.replaceChildren(make('h3', {}, 'What it changes'), ...lines.map(l => make('p', {}, l)))
      this.box.dataset.compared = lines.length
    } catch (e) {
      this.figures.hidden = true
      throw e
    } finally {
      this.comparing = false
    }
  }

  async link() {
    const fragment = await linkOf(this.texts)
    const whole = keeps() ? fragment : location.href.replace(/#.*/, '') + fragment
    const area = make('textarea', { readonly: true, rows: 5, 'aria-label': 'Link', onfocus: () => area.select() })
    area.value = whole
    const copy = make('button', { type: 'button', onclick: () => navigator.clipboard.writeText(whole).then(() => { copy.textContent = 'Copied' }, () => area.select()) }, 'Copy')
    await dialog('A link with these rules', [
      make('p', {}, keeps()
        ? 'Put this behind the address of a site that “rulerun site” has made. Who opens it sees the rules before they play.'
        : 'Who opens it sees the rules before they play.'), area, make('p', {}, copy)])
  }

  save() {
    const url = URL.createObjectURL(new Blob([this.editor.texts()[this.name]], { type: 'text/plain' }))
    make('a', { href: url, download: this.name }).click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }

  close() {
    this.keep()
    this.shut()
    this.box.remove()
    document.body.classList.remove('writing')
    shop = null
    find('edit').focus()
  }
}
