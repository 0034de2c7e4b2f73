// The playground: the rules of the game on one side, written and played at once.

import { call, keeps, Fault } from './door.js'
import { dialog } from './dialogs.js'
import { find, make, sentence } from './dom.js'
import { open as openEditor } from './editor.js'
import { linkOf } from './link.js'
import * as language from './language.js'
import { family, say } from './words.js'

const longest = 1 << 18 // characters of a rule file

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
  const draft = drafted(game)
  const { source } = await call({ do: 'source', rules, ...(changes ? { with: changes } : {}), ...game.texts })
  source.shipped = Object.fromEntries([rules, ...changes ?? []].map(n => n + '.rules').filter(n => n in source.files).map(n => [n, source.files[n]]))
  const text = source.files[source.rules]
  if (changes || !/^ruleset\b/m.test(text)) return draft?.edited ? draft : source // a house rule is changed itself
  const how = await dialog(say('workshop.begin'), make('p', {}, say('workshop.which', { title: game.state.title })),
    [...(draft?.edited ? [[say('workshop.draft'), 'draft']] : []), [say('workshop.house'), 'house'], [say('workshop.whole'), 'whole'], [say('page.cancel'), '']])
  if (how === 'draft') return draft
  if (how === 'whole') return source
  if (how !== 'house') return null
  const { book } = await call({ do: 'book', rules, ...game.texts })
  const base = /^ruleset[ \t]+([a-z][a-z0-9_]*)/m.exec(text)[1]
  return { rules: 'ours.rules', files: { ...(source.rules in source.shipped ? {} : source.files), 'ours.rules': template(base, book) } }
}

// resume opens it again on a page that is loaded again, with what was written for this game.
export function resume(game) {
  const draft = drafted(game)
  if (draft?.open) shop = new Workshop(game, draft)
}

// drafted is what was written for a game on this page, null for nothing.
function drafted({ state }) {
  const draft = JSON.parse(sessionStorage.getItem('rulerun-draft'))
  return draft?.of && same(draft.of, state) ? draft : null
}

document.addEventListener('language', () => {
  if (!shop) return
  const { game, whole, name } = shop
  shop.close()
  shop = new Workshop(game, whole)
  shop.show(name)
})

const same = (a, b) => a.rules === b.rules && (a.with ?? []).join() === (b.with ?? []).join()

// template is a house rule that sets an option, if the rule book has one.
function template(base, book) {
  const options = book.options ?? []
  const other = o => o.values?.find(v => v !== o.default) ?? (o.number || /^[0-9]+$/.test(o.default) ? String(Number(o.default) + 1) : null)
  const word = v => /^(true|false|-?[0-9]+)$/.test(v) ? v : JSON.stringify(v)
  const first = options.find(o => /^[0-9]+$/.test(o.default) && other(o)) ?? options.find(other)
  const list = options.map(o => `//   ${o.name} = ${word(o.default)}${o.words ? '  ' + o.words : ''}`)
  return `// ${say('workshop.new')}\nchange ours ${JSON.stringify(say('workshop.new_title'))} for ${base}\n\n` +
    (first ? `// ${say('workshop.new_options')}\n${list.join('\n')}\nset ${first.name} = ${word(other(first))}\n` : `// ${say('workshop.new_rules')}\n`)
}

class Workshop {
  constructor(game, source) {
    this.game = game
    const button = (text, title, act, main) => make('button', { type: 'button', class: main ? 'main' : null, title, onclick: () => this.try(act) }, text)
    this.title = make('h2', {})
    this.choice = make('select', { 'aria-label': say('workshop.file'), onchange: () => { this.show(this.choice.value); this.editor.focus() } })
    this.found = make('span', { class: 'found' })
    this.status = make('p', { class: 'status', role: 'status' })
    this.host = make('div', { class: 'editor' })
    this.figures = make('div', { class: 'figures', hidden: true })
    this.box = make('section', { id: 'workshop', 'aria-label': say('page.rules') },
      make('div', { class: 'row' }, this.title, this.choice, this.found, make('span', { class: 'grow' }), button(say('page.close'), say('workshop.close'), () => this.close())),
      make('div', { class: 'row' },
        button(say('workshop.play_on'), say('workshop.play_on_title'), () => this.play(true), true),
        button(say('page.new'), say('workshop.new_game_title'), () => this.play(false)),
        button(say('workshop.expect'), say('workshop.expect_title'), () => this.expect()),
        button(say('workshop.compare'), say('workshop.compare_title'), () => this.compare()),
        button(say('workshop.format'), say('workshop.format_title'), () => this.editor.format()),
        button(say('workshop.link'), say('workshop.link_title'), () => this.link()),
        button(say('page.save'), say('workshop.save_title'), () => this.save())),
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
    this.host.addEventListener('paste', e => {
      if (e.clipboardData.getData('text/plain').length <= longest) return
      e.preventDefault()
      e.stopPropagation()
      this.said(say('workshop.long'), true)
    }, true)
    this.load(source)
  }

  // load puts rules into the editor. shipped are the texts of copies of files that come with rulerun.
  load({ rules, with: changes, files, shipped = {}, edited = false }) {
    this.shipped = shipped
    this.edited = edited
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
      words: { label: file => say('workshop.label', { file }), run: test => say('workshop.run', { test }), back: say('workshop.back'), phrases: family('phrases.') },
      changed: () => { this.edited = true; this.keep() },
      shown: name => this.show(name),
      said: (text, fault) => this.said(text, fault),
      found: (errors, others) => {
        const words = [[errors, 'workshop.mistakes'], [others, 'workshop.remarks']].filter(([n]) => n).map(([n, key]) => say(key, { n }))
        this.found.textContent = words.join(', ') || say('workshop.no_findings')
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

  // whole is what load takes, with the texts as they are in the editor.
  get whole() { return { ...this.pick, files: this.editor.texts(), shipped: this.shipped, edited: this.edited } }

  // texts are the rules as they are in the editor. Copies that have not been changed are not sent: rulerun has them.
  get texts() {
    const { rules, with: changes, files, shipped } = this.whole
    const copy = n => n in shipped && files[n] === shipped[n]
    const name = n => copy(n) ? n.slice(0, -'.rules'.length) : n
    return { rules: name(rules), ...(changes ? { with: changes.map(name) } : {}), files: Object.fromEntries(Object.entries(files).filter(([n]) => !copy(n))) }
  }

  // keep stores the texts for a page that is loaded again.
  keep(open = true) {
    const { rules, with: changes } = this.game.state
    try { sessionStorage.setItem('rulerun-draft', JSON.stringify({ ...this.whole, of: { rules, with: changes }, open })) } catch { /* there is no room */ }
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
    this.keep()
    this.said(say(on ? 'workshop.played_on' : 'workshop.begun'))
  }

  // expect writes what was just played as a test.
  async expect() {
    const name = say('workshop.test', { time: new Date().toISOString().slice(0, 16).replace('T', ' ') })
    const { text } = await call({ do: 'test', shared: true, game: this.game.id, text: name })
    this.editor.append(text)
    this.said(say('workshop.tested'))
  }

  // compare shows what the change does to games.
  async compare() {
    if (this.comparing) return
    this.comparing = true
    this.figures.hidden = false
    this.figures.replaceChildren(make('p', { role: 'status' }, say('workshop.comparing')))
    this.box.dataset.compared = ''
    try {
      const { lines } = await language.aside({ do: 'compare', ...this.texts })
      this.figures.replaceChildren(make('h3', {}, say('workshop.compared')), ...lines.map(l => make('p', {}, l)))
      this.box.dataset.compared = lines.length
    } catch (e) {
      this.figures.hidden = true
      throw e
    } finally {
      this.comparing = false
    }
  }

  async link() {
    const fragment = await linkOf(this.whole)
    const whole = keeps() ? fragment : location.href.replace(/#.*/, '') + fragment
    const area = make('textarea', { readonly: true, rows: 5, 'aria-label': say('workshop.link'), onfocus: () => area.select() })
    area.value = whole
    const copy = make('button', { type: 'button', onclick: () => navigator.clipboard.writeText(whole).then(() => { copy.textContent = say('workshop.copied') }, () => area.select()) }, say('workshop.copy'))
    await dialog(say('workshop.link_title'), [
      make('p', {}, say(keeps() ? 'workshop.link_fragment' : 'workshop.link_whole')), area, make('p', {}, copy)])
  }

  save() {
    const url = URL.createObjectURL(new Blob([this.editor.texts()[this.name]], { type: 'text/plain' }))
    make('a', { href: url, download: this.name }).click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }

  close() {
    this.keep(false)
    this.shut()
    this.box.remove()
    document.body.classList.remove('writing')
    shop = null
    find('edit').focus()
  }
}
