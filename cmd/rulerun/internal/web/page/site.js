// The beginning of a static site: the engine is a worker of the page.

import { use } from './door.js'
import { find, make } from './dom.js'
import { start } from './worker.js'
import { base, lang, ready, say } from './words.js'

const engine = start('engine-worker.js', loading => ready.then(() => { find('note').textContent = loading ? say('page.loading') : '' }))
const ask = async request => JSON.parse(await engine.ask(JSON.stringify(request)))
use({
  keeps: false,
  leaflet: (id, { rules, with: changes }) => changes ? '' : `leaflet.${rules}.${base(lang)}.html`,
  async call(request) {
    const known = (await prepared())?.[question(request)]
    if (!known) return ask(request)
    if (request.do === 'book') ask(request).catch(() => {}) // so that the game begins sooner: the engine has read the book by then
    return known
  },
})

// Answers that are the same at every visit are prepared, so that a game can be chosen before the engine runs.
const fetched = {}
const prepared = () => fetched[base(lang)] ??= fetch(`prepared.${base(lang)}.json`).then(r => r.ok ? r.json() : null, () => null)
const question = ({ do: what, rules, options, lang: _, ...more }) =>
  Object.keys(options ?? {}).length || Object.keys(more).length ? null : [what, rules].filter(Boolean).join(' ')
prepared()

await ready
document.body.append(make('footer', {},
  make('p', { 'data-say': 'page.site_secret' }, say('page.site_secret')),
  make('p', {}, make('a', { href: 'licences.txt', 'data-say': 'page.licences' }, say('page.licences')))))

await import('./main.js')

await engine.ready // what is kept for later must not delay the first game
if ('serviceWorker' in navigator) navigator.serviceWorker.register('sw.js').catch(() => { /* it works without, but not offline */ })
