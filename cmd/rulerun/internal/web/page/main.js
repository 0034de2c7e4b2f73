// The page as a whole: what begins, the buttons and the keys.

import { call, keeps, Fault } from './door.js'
import { Game, kept } from './game.js'
import { askMove, dialog, first, keys, newGame, save, show } from './dialogs.js'
import { capital, find, sentence, stored } from './dom.js'
import { rulesOf, showRules } from './link.js'
import { choice, ready, say } from './words.js'

await ready
const game = new Game()

async function begin(chosen) {
  const answer = await newGame(chosen)
  if (answer) await game.open(answer)
  return !!answer
}

// write opens the rules of the game, or of a link, beside it.
async function write(given) {
  if (!game.state) return
  const { open } = await import('./workshop.js').catch(() => { throw new Fault('gone', say('page.editor_gone')) })
  await open(game, given)
}

// rewrite opens the rules again on a page that is loaded again.
async function rewrite() {
  if (/"open":true/.test(sessionStorage.getItem('rulerun-draft'))) (await import('./workshop.js')).resume(game)
}

// linked shows the rules of a link, and plays them if people want that.
async function linked(packed) {
  let rules
  try {
    rules = await rulesOf(packed)
  } catch (e) {
    if (!(e instanceof Fault)) throw e
    await show(say('page.link_bad'), [sentence(e.message)])
    return begin()
  }
  for (;;) {
    const how = await showRules(rules)
    if (!how) return begin()
    try {
      const answer = await call({ do: 'new', shared: true, ...rules })
      await game.open({ ...answer, files: rules.files })
      if (how === 'edit') await write(rules)
      return
    } catch (e) {
      if (!(e instanceof Fault)) throw e
      if (how === 'edit') { // they are mended beside another game
        const { books } = await call({ do: 'list' })
        const base = /^change\b.*\bfor[ \t]+([a-z0-9_]+)/m.exec(rules.files[rules.rules])?.[1]
        await game.open(await call({ do: 'new', shared: true, rules: books.some(b => b.name === base) ? base : first(books) }))
        return write(rules)
      }
      await show(say('page.rules_bad'), e.message.split('\n'))
    }
  }
}

async function why() {
  if (!game.state || game.busy) return
  await show(say('screen.why'), await game.why())
}

// tab shows the log or the rules.
function tab(name) {
  for (const t of ['log', 'rules']) {
    const on = t === name
    find('page-' + t).hidden = !on
    find('tab-' + t).setAttribute('aria-selected', on)
    find('tab-' + t).tabIndex = on ? 0 : -1
  }
  if (name === 'log') find('page-log').scrollTop = find('page-log').scrollHeight
  stored.set('tab', name)
}

const reports = f => (...args) => Promise.resolve(f(...args)).catch(failed)

function failed(e) {
  if (!(e instanceof Fault)) console.error(e)
  game.note(sentence(e.message))
}

const choose = () => find('language').replaceChildren(choice())
choose()
document.addEventListener('language', reports(() => {
  choose()
  return game.retell()
}))
find('new').addEventListener('click', reports(() => begin()))
find('edit').addEventListener('click', reports(() => write()))
find('save').addEventListener('click', reports(() => save(game)))
find('help').addEventListener('click', keys)
find('why').addEventListener('click', reports(why))
find('hint').addEventListener('click', reports(() => game.hint()))
find('take').addEventListener('click', reports(() => game.choose(game.cursor)))
find('undo').addEventListener('click', reports(() => game.undo()))
find('dice').addEventListener('click', () => { if (!game.busy && game.state?.waits === 'throw') game.enter() })
find('auto').addEventListener('change', reports(() => game.onward()))
find('moving').checked = stored.get('moving') ? stored.get('moving') === 'yes' : !matchMedia('(prefers-reduced-motion: reduce)').matches
find('moving').addEventListener('change', e => stored.set('moving', e.target.checked ? 'yes' : 'no'))
for (const name of ['log', 'rules']) {
  find('tab-' + name).addEventListener('click', () => tab(name))
  find('tab-' + name).addEventListener('keydown', e => {
    if (!['ArrowLeft', 'ArrowRight'].includes(e.key)) return
    e.stopPropagation()
    const other = name === 'log' ? 'rules' : 'log'
    tab(other)
    find('tab-' + other).focus()
  })
}
tab(stored.get('tab') === 'rules' ? 'rules' : 'log')

document.addEventListener('pointerdown', () => { game.keyboard = false }, true)
document.addEventListener('keydown', e => {
  game.keyboard = true
  if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return
  const on = e.target
  const field = on.matches?.('input:not([type=checkbox]):not([type=range]), select, textarea, [contenteditable=true]')
  if (field || !game.state && e.key !== 'n' && e.key !== 'F1') return
  const pressed = on.closest?.('button, summary, a, [role=tab], input')
  const act = {
    Enter: () => pressed ? false : game.enter(),
    ' ': () => pressed ? false : game.enter(),
    ArrowUp: () => arrow(e, -1), ArrowDown: () => arrow(e, 1), ArrowLeft: () => arrow(e, -1), ArrowRight: () => arrow(e, 1),
    k: () => game.move(-1), j: () => game.move(1),
    Home: () => game.replay ? game.to(0) : false, End: () => game.replay ? game.to(game.replay.events) : false,
    PageUp: () => game.replay ? game.to(game.replay.at - 10) : false, PageDown: () => game.replay ? game.to(game.replay.at + 10) : false,
    '?': why, h: () => game.hint(), f: () => game.far(), u: () => game.undo(),
    s: () => save(game), n: () => begin(), e: () => write(), g: () => game.options.length ? askMove(game) : game.note(say('screen.no_choice')),
    r: () => { tab('rules'); find('page-rules').focus() }, l: () => { tab('log'); find('page-log').focus() },
    F1: keys, '*': keys,
  }[e.key] ?? (/^[0-9]$/.test(e.key) ? () => game.digit(e.key) : null)
  if (!act) return
  const done = act()
  if (done === false) return
  e.preventDefault()
  Promise.resolve(done).catch(failed)
})

function arrow(e, by) {
  if (e.target.matches?.('input, [role=tabpanel]')) return false
  if (game.replay) return game.to(game.replay.at + by)
  if (!game.options.length && !game.numbers.length) return false
  return game.move(by)
}

addEventListener('hashchange', reports(start))

// watch goes on with a game when its rule files change.
function watch() {
  new EventSource('changes').addEventListener('change', reports(async e => {
    const { game: id, fault } = JSON.parse(e.data)
    if (id !== game.id) return
    if (fault) return game.note(say('screen.bad_rules') + '\n' + fault)
    await game.open(await call({ do: 'state', game: id, shared: true, at: 0 }))
    game.note(say('screen.turn_again'))
  }))
}

// start shows the game that the address names, or lets people choose one.
async function start() {
  const at = new URLSearchParams(location.hash.slice(1))
  const id = at.get('game') ?? at.get('replay')
  if (id && id === game.id) return
  if (at.get('throw') === 'auto') find('auto').checked = true
  if (at.has('watch')) watch()
  if (id) {
    const { record: text, files } = kept(id) ?? {}
    try {
      const answer = at.has('replay') ? await call({ do: 'step', game: id, at: 0 }) : await call({ do: 'state', game: id, shared: true, at: 0 })
      await game.open({ ...answer, files, text })
      performance.mark('playable')
      return rewrite()
    } catch (e) {
      if (!(e instanceof Fault) || e.code !== 'unknown') throw e
      if (text) {
        try {
          const how = at.has('replay') ? { do: 'replay' } : { do: 'load', shared: true }
          await game.open({ ...await call({ ...how, text, ...(files ? { files } : {}) }), files, text })
          return rewrite()
        } catch (e) {
          if (!(e instanceof Fault)) throw e
          await show(capital(say('fault.no_game')), [sentence(e.message)])
        }
      } else if (keeps()) await dialog(capital(say('fault.no_game')), [], [[say('page.new'), 'new']])
    }
  }
  if (at.get('r')) return linked(at.get('r'))
  await begin(at.get('rules'))
}

start().catch(failed)
