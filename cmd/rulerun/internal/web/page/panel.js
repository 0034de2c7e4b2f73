// What stands beside the board: players, dice, the question with what can be chosen, the log and the rules.

import { badge, die } from './board.js'
import { find, capital, make, sentence } from './dom.js'
import { leaflet } from './door.js'
import { computer, list as listed, say } from './words.js'

export function clear() {
  atEnd = true
  touched = false
  find('log').replaceChildren()
  find('note').textContent = ''
  find('dice').replaceChildren()
  find('said').textContent = ''
}

// The log stays at its end, unless a person has scrolled away from it.
let atEnd = true, touched = false
for (const by of ['wheel', 'touchmove', 'pointerdown', 'keydown']) find('page-log').addEventListener(by, () => { touched = true }, { passive: true })
find('page-log').addEventListener('scroll', e => {
  if (touched) atEnd = e.target.scrollHeight - e.target.scrollTop - e.target.clientHeight < 40
})
new ResizeObserver(toEnd).observe(find('page-log'))

function toEnd() { if (atEnd) find('page-log').scrollTop = find('page-log').scrollHeight }

// players lists the seats with their pieces in the zones.
export function players(game) {
  const { state, board } = game
  find('title').textContent = state.title
  document.title = `${state.title} – rulerun`
  const zones = [...new Set(board.places.filter(p => p.zone && (!p.tray || p.shown || state.pieces.some(x => x.at === p.name))).map(p => p.name))]
  const colours = new Map(board.colours.map(c => [c.name, c]))
  find('players').replaceChildren(...state.seats.map(seat => {
    const counts = zones.map(z => [z, state.pieces.filter(p => p.at === z && seat.colours.includes(p.colour)).length]).filter(([, n]) => n > 0)
    const place = seat.place || (state.winners?.includes(seat.name) ? 1 : 0)
    const who = seat.plays === 'human' ? say(game.people.length === 1 ? 'page.you' : 'page.person') : computer(seat.plays)
    return make('li', { 'data-seat': seat.name, class: seat.playing || place ? null : 'out' },
      ...seat.colours.map(c => badge(colours.get(c))),
      make('span', { class: 'name' }, listed(seat.colours.map(c => game.view.called(c).words))),
      make('span', { class: 'who' }, who),
      make('span', { class: 'counts' }, counts.map(([z, n]) => `${game.view.called(z).words} ${n}`).join(' · ')),
      place ? make('span', { class: 'place' }, state.winners?.includes(seat.name) ? say('page.won') : say('page.place', { n: place })) : seat.playing ? null : make('span', { class: 'place' }, say('page.out')))
  }))
  turn(game, state.waits === 'over' ? '' : state.asked || state.turn)
  const figures = new Map()
  for (const f of state.figures ?? []) {
    if (!figures.has(f.name)) figures.set(f.name, [])
    figures.get(f.name).push([f.of, f.value].filter(Boolean).join(' '))
  }
  find('figures').hidden = !figures.size
  find('figures').replaceChildren(...[...figures].map(([name, values]) => make('div', {}, make('dt', {}, name), make('dd', {}, values.join(', ')))))
}

// turn marks the seat in turn.
export function turn(game, seat) {
  for (const li of find('players').children) {
    if (li.dataset.seat === seat) li.setAttribute('aria-current', 'true')
    else li.removeAttribute('aria-current')
  }
}

// dice shows a throw.
export function dice(values, words, rolls) {
  const box = find('dice')
  box.replaceChildren(...values.map(die))
  box.setAttribute('aria-label', words || say('page.no_throw'))
  box.classList.remove('rolls')
  if (rolls) {
    void box.offsetWidth // begins the animation anew
    box.classList.add('rolls')
  }
}

// moment shows the last throw and the question.
export function moment(game) {
  const { state } = game
  dice((state.thrown ?? []).map(t => t.value), state.threw, false)
  let text = game.secret?.question ?? state.question ?? ''
  if (game.replay) text = state.threw ?? ''
  else if (state.waits === 'over') text = ''
  else if (game.hidden) text = say('page.secret', { who: game.view.called(state.asked) })
  else if (state.waits === 'other' && !game.secret) text = state.asked ? say('page.in_turn', { who: game.view.called(state.asked) }) : say('page.computer_in_turn')
  find('question').textContent = text
}

// actions shows what can be done now.
export function actions(game) {
  const room = find('actions')
  const had = room.contains(document.activeElement)
  const { state } = game
  let list
  if (game.replay) list = []
  else if (game.busy) list = [make('button', { type: 'button', class: 'main quiet', onclick: () => game.enter() }, say('page.no_wait'))]
  else if (state.waits === 'over') {
    list = [make('div', { class: 'result' }, ...(state.result ?? [say('page.stuck')]).map(l => make('p', {}, l))),
      make('button', { type: 'button', class: 'main', onclick: () => find('new').click() }, say('page.new'))]
  } else if (game.hidden) {
    list = [make('button', { type: 'button', class: 'main', onclick: () => game.enter() }, say('page.alone', { who: game.view.called(state.asked) }))]
  } else if (state.waits === 'throw') {
    list = [make('button', { type: 'button', class: 'main', onclick: () => game.enter() }, say('page.throw'))]
  } else {
    const items = game.numbers.length
      ? game.numbers.map((n, i) => option(game, i, String(n), String(n)))
      : game.options.map((o, i) => option(game, i, o.key, o.words, o.does))
    list = [make('ol', { class: game.numbers.length ? 'numbers' : 'options' }, ...items)]
  }
  room.replaceChildren(...list)
  if (had || game.keyboard && document.activeElement === document.body) {
    (room.querySelector('button') ?? find('question')).focus({ preventScroll: true })
  }
}

// option is a button. What a mouse or the keyboard points at is shown on the board; what a finger touches first, too.
function option(game, i, key, words, does) {
  const take = () => {
    if (game.cursor === i) game.choose(i)
    else game.point(i)
  }
  return make('li', {}, make('button', {
    type: 'button', 'data-option': i, 'data-take': say('page.take'), onclick: take,
    onpointerenter: e => { if (e.pointerType === 'mouse') game.point(i) },
    onpointerleave: e => { if (e.pointerType === 'mouse' && game.cursor === i) game.point(-1) },
    onfocus: e => { if (game.keyboard) game.point(i) },
  }, make('span', { class: 'number', 'aria-hidden': 'true' }, key ?? ''), make('span', { class: 'words' }, words), does ? make('span', { class: 'does' }, does) : null))
}

// pointed marks the option pointed at.
export function pointed(game) {
  for (const b of find('actions').querySelectorAll('[data-option]')) {
    const on = Number(b.dataset.option) === game.cursor
    b.classList.toggle('on', on)
    if (on) {
      b.setAttribute('aria-current', 'true')
      if (game.keyboard && document.activeElement !== b) b.focus({ preventScroll: true })
      if (game.keyboard) b.scrollIntoView({ block: 'nearest' })
    } else b.removeAttribute('aria-current')
  }
  const o = game.options[game.cursor]
  find('chosen').hidden = !o || game.keyboard
  if (o) find('chosen').firstElementChild.textContent = o.does ? say('colon', { text: o.words, more: o.does }) : o.words
}

// log adds entries; those from event `end` on are taken back.
export function log(entries, end = Infinity) {
  const list = find('log')
  for (const li of [...list.children]) if (Number(li.dataset.at) >= end) li.remove()
  const news = []
  for (const e of entries ?? []) {
    const text = e.lines.join('\n')
    let li = [...list.children].reverse().find(x => Number(x.dataset.at) === e.at)
    if (li?.firstChild?.textContent === text) continue
    if (!li) {
      li = make('li', { 'data-at': e.at })
      const next = [...list.children].reverse().find(x => Number(x.dataset.at) < e.at)
      if (next) next.after(li)
      else list.prepend(li)
    }
    if (li.firstChild) li.firstChild.textContent = text
    else li.append(make('p', {}, text))
    news.push(text)
  }
  for (const li of list.querySelectorAll('.last')) li.classList.remove('last')
  list.lastElementChild?.classList.add('last')
  toEnd()
  if (news.length) find('said').textContent = news.slice(-6).map(sentence).join(' ')
}

// leaflet links to the rules of a game as a sheet, where there is one.
export function sheet(id, played) {
  const { address, exact } = leaflet(id, played)
  find('leaflet').hidden = !address
  const link = find('leaflet').firstElementChild
  link.href = address
  link.dataset.say = exact ? 'page.leaflet' : 'page.leaflet_usual'
  link.textContent = say(link.dataset.say)
}

// rules lists the rules of the game.
export function rules(list, legend) {
  find('rules').replaceChildren(
    ...list.map(r => make('li', { 'data-rule': r.name },
      make('p', {}, r.words),
      make('p', { class: 'where' }, [r.name, ...(r.lines ?? []).slice(0, 1), ...(r.cites ?? [])].join(' · ')))),
    ...(legend?.length ? [make('li', {}, make('p', { class: 'where' }, say('page.signs', { signs: legend.join(', ').replaceAll('_', ' ') })))] : []))
}

// fired marks the rules that took effect last, and names them below their line of the log.
export function fired(events) {
  const last = (events ?? []).findLast(e => e.rule)?.at
  if (last === undefined) return
  const names = new Set(events.filter(e => e.at === last && e.rule).map(e => e.rule))
  let first = null
  find('log').querySelector('.by')?.remove()
  const words = [...find('rules').children].filter(li => names.has(li.dataset.rule)).map(li => li.firstChild.textContent)
  const entry = [...find('log').children].findLast(li => Number(li.dataset.at) <= last)
  entry?.append(make('ul', { class: 'by', 'aria-label': say('page.by_rules') }, ...words.map(w => make('li', {}, w))))
  toEnd()
  for (const li of find('rules').children) {
    const on = names.has(li.dataset.rule)
    li.classList.toggle('fired', on)
    if (on) {
      li.setAttribute('aria-current', 'true')
      first ??= li
    } else li.removeAttribute('aria-current')
  }
  if (first) find('page-rules').scrollTop = first.offsetTop - find('rules').offsetTop - 40
}

// replay shows how far a recorded game is.
export function replay(game) {
  const room = find('replay')
  room.hidden = !game.replay
  find('tools').hidden = !!game.replay
  if (!game.replay) return
  const { at, events } = game.replay
  if (!room.childElementCount) {
    const button = (text, label, to) => make('button', { type: 'button', 'aria-label': label, onclick: () => game.to(to()) }, text)
    const slider = make('input', { id: 'slider', type: 'range', min: 0, step: 1, 'aria-label': say('page.event'), oninput: e => game.to(Number(e.target.value)) })
    room.append(
      make('div', { class: 'row' }, button('«', say('page.first'), () => 0), button('‹', say('page.back'), () => game.replay.at - 1),
        make('button', { type: 'button', id: 'run', onclick: () => game.running() }),
        button('›', say('page.next'), () => game.replay.at + 1), button('»', say('page.last'), () => game.replay.events)),
      slider, make('p', { id: 'where' }),
      make('button', { type: 'button', onclick: () => game.fromHere() }, say('page.from_here')))
  }
  const slider = find('slider')
  slider.max = events
  slider.value = at
  find('where').textContent = capital(say('replay.at', { at, n: events }))
  find('run').textContent = say(game.plays ? 'page.stop' : 'page.run')
}
