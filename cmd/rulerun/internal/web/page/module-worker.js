// What both workers do: they load a module, start it, and pass texts on. A module calls rulerunReady when it runs; then it has
// rulerunStart, which takes the rule files of the site.

/* global Go, importScripts */
importScripts('wasm_exec.js')

// load starts the module that a response carries. Some web hosts unpack files that end in .gz, others do not.
async function load(module, take) {
  const early = []
  let running = false
  onmessage = ({ data }) => running ? take(data) : early.push(data)
  try {
    postMessage({ progress: true })
    const given = fetch('books.json').then(r => whole(r).text())
    const source = await unpacked(whole(await module))
    const go = new Go()
    go.env = { GOGC: '400' } // memory for time: it starts a tenth sooner
    const { instance } = await WebAssembly.instantiateStreaming(source, go.importObject)
    const begun = new Promise(done => { self.rulerunReady = done })
    go.run(instance).then(() => postMessage({ failed: '' }))
    await begun
    const fault = self.rulerunStart(await given)
    if (fault) throw new Error(fault)
    running = true
    postMessage({ ready: true })
    for (const text of early) take(text)
  } catch (e) {
    postMessage({ failed: e.message || String(e) })
  }
}

// unpacked is a response as it is before it is packed, if it is. It is compiled while it arrives.
async function unpacked(response) {
  const type = 'application/wasm'
  if (response.headers.get('Content-Type') === type) return response // kept by the service worker
  const reader = response.body.getReader()
  const first = await reader.read()
  const all = new ReadableStream({
    start(c) { if (!first.done) c.enqueue(first.value) },
    async pull(c) {
      const { done, value } = await reader.read()
      if (done) c.close()
      else c.enqueue(value)
    },
  })
  const packed = first.value?.[0] === 0x1f && first.value[1] === 0x8b
  return new Response(packed ? all.pipeThrough(new DecompressionStream('gzip')) : all, { headers: { 'Content-Type': type } })
}

function whole(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`)
  return response
}
