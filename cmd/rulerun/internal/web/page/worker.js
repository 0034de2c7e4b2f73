// A worker with a WebAssembly module that answers texts with texts.

import { say } from './words.js'

// start starts a worker. progress is called with true until it is ready, then with false.
export function start(script, progress = () => {}) {
  const worker = new Worker(script)
  const waiting = []
  const hearers = new Set()
  let failed = null
  let ready
  const begun = new Promise((done, fail) => { ready = { done, fail } })
  begun.catch(() => {})
  const fail = text => {
    failed = new Error(text)
    ready.fail(failed)
    for (const w of waiting.splice(0)) w.fail(failed)
  }
  worker.onmessage = ({ data }) => {
    if (data.progress) progress(true)
    else if (data.ready) { progress(false); ready.done() }
    else if (data.failed !== undefined) fail(data.failed ? say('page.engine_fails', { why: data.failed }) : say('page.engine_stopped'))
    else if (data.said !== undefined) for (const f of hearers) f(data.said)
    else waiting.shift()?.done(data.answer)
  }
  worker.onerror = e => fail(say('page.engine_fails', { why: e.message }))
  return {
    ready: begun,
    // ask sends a text and gives the answer; answers come in the order of the questions.
    ask(text) {
      if (failed) return Promise.reject(failed)
      return new Promise((done, fail) => {
        waiting.push({ done, fail })
        worker.postMessage(text)
      })
    },
    // send sends a text that has no answer of its own; hear hears what comes.
    send: text => worker.postMessage(text),
    hear: f => hearers.add(f),
    deaf: f => hearers.delete(f),
    stop: () => worker.terminate(),
  }
}
