// What both workers do: they load a module, start it, and pass texts on. A module calls rulerunReady when it runs; then it has
// rulerunStart, which takes the rule files of the site.

/* global Go, importScripts */
importScripts('wasm_exec.js')

// load starts the module of a file. Some web hosts unpack files that end in .gz, others do not.
async function load(name, take) {
  const early = []
  let running = false
  onmessage = ({ data }) => running ? take(data) : early.push(data)
  try {
    postMessage({ progress: 'Loading…' })
    const [packed, given] = await Promise.all([fetched(name).then(r => r.arrayBuffer()), fetched('books.json').then(r => r.text())])
    const head = new Uint8Array(packed, 0, 2)
    let stream = new Response(packed).body
    if (head[0] === 0x1f && head[1] === 0x8b) stream = stream.pipeThrough(new DecompressionStream('gzip'))
    const go = new Go()
    const { instance } = await WebAssembly.instantiateStreaming(
      new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }), go.importObject)
    const begun = new Promise(done => { self.rulerunReady = done })
    go.run(instance).then(() => postMessage({ failed: 'the engine has stopped: load the page again' }))
    await begun
    const fault = self.rulerunStart(given)
    if (fault) throw new Error(fault)
    running = true
    postMessage({ ready: true })
    for (const text of early) take(text)
  } catch (e) {
    postMessage({ failed: `the engine cannot be started here: ${e.message}` })
  }
}

async function fetched(name) {
  const response = await fetch(name)
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`)
  return response
}
