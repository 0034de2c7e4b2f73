// Keeps the files of the site, so that it works without a network. `rulerun site` writes version and files above.

/* global version, files */
const name = 'rulerun-' + version
const wasm = { headers: { 'Content-Type': 'application/wasm' } }

self.addEventListener('install', e => {
  e.waitUntil(caches.open(name).then(async cache => {
    await cache.addAll(files.map(f => new Request(f, { cache: 'no-cache' })))
    await unpack(cache, 'engine.wasm.gz').catch(() => { /* there is no room: it stays packed */ })
  }))
})

// unpack keeps a module unpacked and with its type: then browsers keep the machine code that they make of it, too.
async function unpack(cache, file) {
  const bytes = await (await cache.match(file)).arrayBuffer()
  const { body } = new Response(bytes)
  const packed = new Uint8Array(bytes)[0] === 0x1f // some web hosts unpack
  await cache.put(file, new Response(packed ? body.pipeThrough(new DecompressionStream('gzip')) : body, wasm))
}

self.addEventListener('activate', e => {
  e.waitUntil(caches.keys()
    .then(all => Promise.all(all.filter(n => n.startsWith('rulerun-') && n !== name).map(n => caches.delete(n))))
    .then(() => self.clients.claim()))
})

// What is not kept yet, such as the editor, is kept when it is first used.
self.addEventListener('fetch', e => {
  const url = new URL(e.request.url)
  if (e.request.method !== 'GET' || !url.href.startsWith(self.registration.scope)) return
  url.hash = url.search = ''
  if (url.pathname.endsWith('/index.html')) url.pathname = url.pathname.slice(0, -'index.html'.length)
  e.respondWith(caches.open(name).then(async cache => {
    const kept = await cache.match(url.href)
    if (kept) return kept
    const response = await fetch(e.request)
    if (response.ok) cache.put(url.href, response.clone())
    return response
  }))
})
