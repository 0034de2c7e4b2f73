// The beginning of a static site: the engine is a worker of the page.

import { use } from './door.js'
import { find, make } from './dom.js'
import { start } from './worker.js'

const engine = start('engine-worker.js', text => { find('note').textContent = text })
use({ keeps: false, call: async request => JSON.parse(await engine.ask(JSON.stringify(request))) })

document.body.append(make('footer', {},
  make('p', {}, 'The whole game runs in this browser, and nothing leaves it. So it knows what players choose in secret: who looks into the browser can see it.'),
  make('p', {}, make('a', { href: 'licences.txt' }, 'Licences of the editor'))))

await import('./main.js')

await engine.ready // what is kept for later must not delay the first game
if ('serviceWorker' in navigator) navigator.serviceWorker.register('sw.js').catch(() => { /* it works without, but not offline */ })
