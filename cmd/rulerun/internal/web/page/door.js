// The way to the engine. `call` sends a request of package door and gives its answer, whatever stands behind it: a server, or a
// worker. A transport is {call(request) -> Promise of the answer, keeps, leaflet(id, played) -> address}: keeps says that games outlive
// the page.

import { lang, say } from './words.js'

const http = {
  keeps: true,
  leaflet: id => `leaflet.html?game=${encodeURIComponent(id)}&lang=${lang}`,
  async call(request) {
    let response
    try {
      response = await fetch('door', {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(request),
      })
    } catch {
      throw new Fault('gone', say('page.gone'))
    }
    if (!response.ok) throw new Fault('gone', say('page.refused', { why: (await response.text()).trim() }))
    return response.json()
  },
}

let transport = http

// use chooses another transport. It is called before the first request.
export function use(other) { transport = other }

// keeps reports whether games outlive the page.
export function keeps() { return transport.keeps }

// leaflet is where the rules of a game stand as a sheet, and whether that shows the options of the game.
export function leaflet(id, played) {
  const exact = keeps() || !played?.unusual
  return { address: played ? transport.leaflet(id, played) : '', exact }
}

// Fault is a request that was refused; nothing has changed.
export class Fault extends Error {
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

// call sends a request. It throws a Fault.
export async function call(request) {
  const start = performance.now()
  const answer = await transport.call({ lang, ...request })
  performance.measure('rulerun ' + request.do, { start }) // the tools of browsers show what the page waits for
  if (answer.error) throw new Fault(answer.error.code, answer.error.message)
  return answer
}
