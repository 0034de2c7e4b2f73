// A worker with a WebAssembly module that answers texts with texts.

// start starts a worker. progress is called with words until it is ready, then with ''.
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
    if (data.progress !== undefined) progress(data.progress)
    else if (data.ready) { progress(''); ready.done() }
    else if (data.failed) fail(data.failed)
    else if (data.said !== undefined) for (const f of hearers) f(data.said)
    else waiting.shift()?.done(data.answer)
  }
  worker.onerror = e => fail(e.message || 'the engine does not start')
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
