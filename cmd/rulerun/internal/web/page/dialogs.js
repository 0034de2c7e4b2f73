// What covers the board for a while: a new game, saving, the keys, why a move is not there.

import { call, Fault } from './door.js'
import { find, make, sentence } from './dom.js'
import { choice, computer, say } from './words.js'

// dialog shows an element above the page, and gives a promise of how it was closed.
export function dialog(title, content, buttons = [[say('page.close'), 'close']]) {
  const form = make('form', { method: 'dialog' },
    make('h2', {}, title), ...[content].flat(),
    make('div', { class: 'row' }, ...buttons.map(([text, value], i) => make('button', { value, class: i === 0 ? 'main' : null }, text))))
  const box = make('dialog', { 'aria-label': title }, form)
  document.body.append(box)
  return new Promise(done => {
    box.addEventListener('close', () => {
      box.remove()
      done(box.returnValue)
    })
    box.addEventListener('click', e => { if (e.target === box) box.close('') })
    box.showModal()
  })
}

const lines = list => make('div', { class: 'lines', tabindex: 0 }, ...list.map(l => make('p', {}, l)))

// show shows lines.
export function show(title, list) { return dialog(title, lines(list)) }

export function keys() {
  const rows = say('page.key_table').split('\n').map(row => row.split(/ {2,}/))
  return dialog(say('screen.keys'), make('div', { class: 'lines', tabindex: 0 },
    make('table', {}, ...rows.map(([k, what]) => make('tr', {}, make('th', { scope: 'row' }, k), make('td', {}, what)))),
    make('p', {}, say('page.key_note'))))
}

// askMove reads the squares of a move.
export async function askMove(game) {
  const input = make('input', { name: 'squares', autocomplete: 'off', 'aria-label': say('screen.from_to') })
  const how = await dialog(say('screen.from_to'), make('p', {}, input), [[say('page.take'), 'take'], [say('page.cancel'), '']])
  if (how !== 'take' || !input.value.trim()) return
  const answer = await game.find(input.value.trim())
  if (answer.length) await show(say('page.not_now'), answer)
}

// first is the book to begin with: a rule file given, or the one that most house rules are for.
export function first(books) {
  const count = name => books.filter(b => b.for === name).length
  return (books.find(b => b.group === 'given') ?? books.toSorted((a, b) => count(b.name) - count(a.name))[0])?.name
}

// newGame lets people choose a game, and the language. It gives an answer of the door to show, or null. chosen is the book to begin with.
export async function newGame(chosen) {
  const { books } = await call({ do: 'list' })
  chosen ??= first(books)
  const groups = new Map()
  for (const b of books) {
    if (!groups.has(b.group)) groups.set(b.group, [])
    groups.get(b.group).push(b)
  }
  const book = make('select', { id: 'book' }, ...[...groups].map(([title, list]) =>
    make('optgroup', { label: say('page.group.' + title) }, ...list.map(b => make('option', { value: b.name, selected: b.name === chosen }, b.for ? say('page.change_for', { title: b.title, base: books.find(x => x.name === b.for)?.title ?? b.for }) : b.title)))))
  const rest = make('div', { id: 'details' })
  const fault = make('p', { class: 'fault', role: 'alert' })
  const file = make('input', { type: 'file', id: 'record', multiple: true, accept: '.txt,.rules,.yaml,.yml,.json,text/plain' })
  let details = null
  const options = () => Object.fromEntries([...rest.querySelectorAll('[data-option-name]')].filter(x => x.value !== x.dataset.usual).map(x => [x.dataset.optionName, x.value]))
  const choose = async (given, players) => {
    fault.textContent = ''
    try {
      const answer = await call({ do: 'book', rules: book.value, options: given, ...(players ? { players } : {}) })
      details = answer.book
    } catch (e) {
      details = null
      fault.textContent = e.message
      return
    }
    rest.replaceChildren(...form(details, given, players, () => choose(options(), Number(find('count').value))))
  }
  book.addEventListener('change', () => choose({}))
  await choose({})
  const content = [
    make('p', {}, make('label', { for: 'book' }, say('page.book')), ' ', book), rest, fault,
    make('details', {}, make('summary', {}, say('page.saved_game')),
      make('p', {}, make('label', { for: 'record' }, say('page.record')), ' ', file),
      make('p', { class: 'row' }, make('button', { value: 'load' }, say('page.resume')), make('button', { value: 'replay' }, say('page.watch')))),
    make('label', { class: 'field' }, make('span', {}, say('page.language')), choice())]
  const again = () => rest.closest('dialog')?.close('again')
  document.addEventListener('language', again, { once: true })
  for (;;) {
    const how = await dialog(say('page.new'), content, [[say('page.begin'), 'begin'], [say('page.cancel'), '']])
    if (how === 'again') return newGame(book.value)
    try {
      if (how === 'begin') {
        if (!details) continue
        const seats = [...rest.querySelectorAll('[data-seat]')].map(x => x.value)
        return await call({ do: 'new', shared: true, rules: book.value, options: options(), players: Number(find('count')?.value) || details.seats.length, seats })
      }
      if (how === 'load' || how === 'replay') {
        const texts = {}
        let text = null
        for (const f of file.files) {
          if (/\.(rules|ya?ml|json)$/.test(f.name)) texts[f.name] = await f.text()
          else text = await f.text()
        }
        if (text === null) throw new Fault('', say('page.choose_record'))
        const more = Object.keys(texts).length ? { files: texts } : {}
        return { ...await call(how === 'load' ? { do: 'load', shared: true, text, ...more } : { do: 'replay', text, ...more }), ...more, text }
      }
      return null
    } catch (e) {
      if (!(e instanceof Fault)) throw e
      fault.textContent = sentence(e.message)
    }
  }
}

// form are the fields of a book: how many play, who, and by which options.
function form(details, given, players, changed) {
  const count = make('select', { id: 'count', onchange: changed },
    ...[...details.players].sort((a, b) => a - b).map(n => make('option', { value: n, selected: n === (players || details.players[0]) }, n)))
  const seats = details.seats.map((seat, i) => make('label', { class: 'field seat' }, make('span', {}, details.called[i]),
    make('select', { 'data-seat': seat }, make('option', { value: 'human' }, say('page.person')),
      ...details.bots.map(b => make('option', { value: b.name, title: b.words, selected: i > 0 && b.name === details.usual }, say('page.computer', { bot: computer(b.name) }))))))
  const options = (details.options ?? []).map(o => {
    const value = given[o.name] ?? o.default
    const attributes = { 'data-option-name': o.name, 'data-usual': o.default, onchange: changed }
    const input = o.values
      ? make('select', attributes, ...o.values.map((v, i) => make('option', { value: v, selected: v === value }, o.said?.[i] ?? v)))
      : make('input', { ...attributes, value, inputmode: o.number ? 'numeric' : null, title: o.wants })
    return make('label', { class: 'field' }, make('span', {}, o.words || o.name.replaceAll('_', ' ')), input)
  })
  return [
    make('label', { class: 'field' }, make('span', {}, say('page.players')), count), ...seats,
    options.length ? make('details', { open: Object.keys(given).length > 0 }, make('summary', {}, say('page.options', { n: options.length })), ...options) : null,
  ].filter(Boolean)
}

// save offers the record of a game as a file.
export async function save(game) {
  try {
    const text = await game.record()
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const name = `${game.state.title.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')}.game.txt`
    make('a', { href: url, download: name }).click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
    game.note(say('page.saved', { file: name }))
  } catch (e) { game.note(sentence(e.message)) }
}
