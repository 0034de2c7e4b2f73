// The way of the editor to a language server: a worker on a site, otherwise the server of the page.

import { call, keeps, Fault } from './door.js'
import { start } from './worker.js'
import { say } from './words.js'

// connect opens a connection: {send(text), subscribe(f), unsubscribe(f), close()}. progress is called with words while it begins.
export function connect(progress) { return keeps() ? overHTTP(progress) : inWorker(progress) }

function inWorker(progress) {
  const worker = start('language-worker.js', loading => progress(loading ? say('page.loading_language') : ''))
  worker.ready.catch(e => progress(e.message))
  return { send: worker.send, subscribe: worker.hear, unsubscribe: worker.deaf, close: worker.stop }
}

function overHTTP(progress) {
  const hearers = new Set(), early = []
  const stream = new EventSource('language')
  let name = null, open = true, sending = Promise.resolve()
  const end = () => {
    open = false
    stream.close()
  }
  const post = text => { // one after the other: the order matters
    sending = sending.then(async () => {
      if (!open) return // there is no server to hear it
      const { ok } = await fetch('language?to=' + name, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: text })
      if (!ok) throw new Error()
    }).catch(() => progress(say('page.language_gone')))
  }
  stream.addEventListener('name', e => {
    if (name !== null) return end() // the server has been started again and knows nothing of the text
    name = e.data
    for (const text of early.splice(0)) post(text)
  })
  stream.addEventListener('said', e => { for (const f of hearers) f(e.data) })
  stream.addEventListener('error', () => {
    end()
    progress(say('page.language_silent'))
  })
  return {
    send: text => { if (name === null) early.push(text); else post(text) },
    subscribe: f => hearers.add(f),
    unsubscribe: f => hearers.delete(f),
    close: () => { sending.finally(end) }, // what has been sent still arrives
  }
}

// aside sends a request of package door that takes long. On a site another worker does it, so that the game goes on.
export async function aside(request) {
  if (keeps()) return call(request)
  const worker = start('engine-worker.js')
  try {
    const answer = JSON.parse(await worker.ask(JSON.stringify(request)))
    if (answer.error) throw new Fault(answer.error.code, answer.error.message)
    return answer
  } finally { worker.stop() }
}
