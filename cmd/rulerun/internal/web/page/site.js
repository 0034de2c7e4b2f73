// The beginning of a static site: the engine is a worker of the page.

import { use } from './door.js'
import { find, make } from './dom.js'
import { start } from './worker.js'

const engine = start('engine-worker.js', text => { find('note').textContent = text })
const ask = async request => JSON.parse(await engine.ask(JSON.stringify(request)))
use({
  keeps: false,
  async call(request) {
    const known = (await prepared)?.[question(request)]
    if (!known) return ask(request)
    if (request.do === 'book') ask(request).catch(() => {}) // so that the game begins sooner: the engine has read the book by then
    return known
  },
})

// Answers that are the same at every visit are prepared, so that a game can be chosen before the engine runs.
const prepared = fetch('prepared.json').then(r => r.ok ? r.json() : null, () => null)
const question = ({ do: what, rules, options, ...more }) =>
  Object.keys(options ?? {}).length || Object.keys(more).length ? null : [what, rules].filter(Boolean).join(' ')

document.body.append(make('footer', {},
  make('p', {}, 'The whole game runs in this browser, and nothing leaves it. So it knows what players choose in secret: who looks into the browser can see it.'),
  make('p', {}, make('a', { href: 'licences.txt' }, 'Licences of the editor'))))

await import('./main.js')

await engine.ready // what is kept for later must not delay the first game
if ('serviceWorker' in navigator) navigator.serviceWorker.register('sw.js').catch(() => { /* it works without, but not offline */ })
