// What covers the board for a while: a new game, saving, the keys, why a move is not there.

import { call, Fault } from './door.js'
import { find, make, sentence } from './dom.js'

// dialog shows an element above the page, and gives a promise of how it was closed.
export function dialog(title, content, buttons = [['Close', 'close']]) {
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

export function say(title, list) { return dialog(title, lines(list)) }

export function keys() {
  const rows = [
    ['Enter', 'throw; take the move pointed at; wait no longer'],
    ['1 to 9', 'take the move of that number'],
    ['arrows, Tab', 'point at another move and show its way'],
    ['g', 'name the squares of a move: 12 17'],
    ['mouse, finger', 'click a piece or a square, again to take the move'],
    ['?', 'why other moves are not there'],
    ['h', 'a hint'],
    ['f', 'throw and go on to the next choice'],
    ['u', 'take back'],
    ['e', 'write rules'],
    ['r, l', 'the rules, what happened'],
    ['s', 'save the game'],
    ['n', 'a new game, or a saved one'],
  ]
  return dialog('Keys', [
    make('table', {}, ...rows.map(([k, what]) => make('tr', {}, make('th', { scope: 'row' }, k), make('td', {}, what)))),
    make('p', {}, 'On the board a move has its number where it ends. A ring is around the pieces that can be moved, a cross on those that a move sends away. Each colour has a letter.'),
  ])
}

// askMove reads the squares of a move.
export async function askMove(game) {
  const input = make('input', { name: 'squares', autocomplete: 'off', 'aria-label': 'From where to where' })
  const how = await dialog('From where to where, say 12 17', make('p', {}, input), [['Take it', 'take'], ['Cancel', '']])
  if (how !== 'take' || !input.value.trim()) return
  const answer = await game.find(input.value.trim())
  if (answer.length) await say('Not now', answer)
}

// first is the book to begin with: a rule file given, or the one that most house rules are for.
function first(books) {
  const count = name => books.filter(b => b.for === name).length
  return (books.find(b => b.group === 'given') ?? books.toSorted((a, b) => count(b.name) - count(a.name))[0])?.name
}

// newGame lets people choose a game. It gives an answer of the door to show, or null. chosen is the book to begin with.
export async function newGame(chosen) {
  const { books } = await call({ do: 'list' })
  chosen ??= first(books)
  const groups = new Map()
  for (const b of books) {
    if (!groups.has(b.group)) groups.set(b.group, [])
    groups.get(b.group).push(b)
  }
  const book = make('select', { id: 'book' }, ...[...groups].map(([title, list]) =>
    make('optgroup', { label: { given: 'your rules', books: 'rule books', changes: 'house rules' }[title] }, ...list.map(b => make('option', { value: b.name, selected: b.name === chosen }, b.for ? `${b.title} (${b.for})` : b.title)))))
  const rest = make('div', { id: 'details' })
  const fault = make('p', { class: 'fault', role: 'alert' })
  const file = make('input', { type: 'file', id: 'record', multiple: true, accept: '.txt,.rules,.yaml,.yml,text/plain' })
  let details = null
  const options = () => Object.fromEntries([...rest.querySelectorAll('[data-option-name]')].filter(x => x.value !== x.dataset.usual).map(x => [x.dataset.optionName, x.value]))
  const show = async (given, players) => {
    fault.textContent = ''
    try {
      const answer = await call({ do: 'book', rules: book.value, options: given, ...(players ? { players } : {}) })
      details = answer.book
    } catch (e) {
      details = null
      fault.textContent = e.message
      return
    }
    rest.replaceChildren(...form(details, given, players, () => show(options(), Number(find('count').value))))
  }
  book.addEventListener('change', () => show({}))
  await show({})
  const content = [
    make('p', {}, make('label', { for: 'book' }, 'Game '), book), rest, fault,
    make('details', {}, make('summary', {}, 'A saved game'),
      make('p', {}, make('label', { for: 'record' }, 'A record, and the rule files that it names, if they are not in the list above: '), file),
      make('p', { class: 'row' }, make('button', { value: 'load' }, 'Go on with it'), make('button', { value: 'replay' }, 'Watch it')))]
  for (;;) {
    const how = await dialog('New game', content, [['Begin', 'begin'], ['Cancel', '']])
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
          if (/\.(rules|ya?ml)$/.test(f.name)) texts[f.name] = await f.text()
          else text = await f.text()
        }
        if (text === null) throw new Fault('', 'Choose the file of a record first.')
        const more = Object.keys(texts).length ? { files: texts } : {}
        return { ...await call(how === 'load' ? { do: 'load', shared: true, text, ...more } : { do: 'replay', text, ...more }), ...more }
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
  const seats = details.seats.map((seat, i) => make('label', { class: 'field seat' }, make('span', {}, seat),
    make('select', { 'data-seat': seat }, make('option', { value: 'human' }, 'a person'),
      ...details.bots.map(b => make('option', { value: b.name, title: b.words, selected: i > 0 && b.name === details.usual }, `computer: ${b.name}`)))))
  const options = (details.options ?? []).map(o => {
    const value = given[o.name] ?? o.default
    const attributes = { 'data-option-name': o.name, 'data-usual': o.default, onchange: changed }
    const input = o.values
      ? make('select', attributes, ...o.values.map(v => make('option', { value: v, selected: v === value }, { true: 'yes', false: 'no' }[v] ?? v)))
      : make('input', { ...attributes, value, inputmode: o.number ? 'numeric' : null, title: o.wants })
    return make('label', { class: 'field' }, make('span', {}, o.words || o.name.replaceAll('_', ' ')), input)
  })
  return [
    make('label', { class: 'field' }, make('span', {}, 'Players'), count), ...seats,
    options.length ? make('details', { open: Object.keys(given).length > 0 }, make('summary', {}, `Options (${options.length})`), ...options) : null,
  ].filter(Boolean)
}

// save offers the record of a game as a file.
export async function save(game) {
  try {
    const text = await game.record()
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const name = `${game.state.title.toLowerCase().normalize('NFD').replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')}.game.txt`
    make('a', { href: url, download: name }).click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
    game.note(`Saved as ${name}. "New game" goes on with it, or shows it again.`)
  } catch (e) { game.note(sentence(e.message)) }
}
