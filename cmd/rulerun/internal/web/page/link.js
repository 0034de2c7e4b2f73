// Links that carry rules in their fragment: "#r=" with deflated JSON in base64url. They go to no server.

import { dialog } from './dialogs.js'
import { Fault } from './door.js'
import { make } from './dom.js'
import { say } from './words.js'

const maxPacked = 100_000 // characters of a link
const maxText = 500_000   // bytes of what it carries: a small text can become a huge one

// linkOf is the fragment with rules {rules, with, files}: texts by name, the rule book and the changes applied to it.
export async function linkOf({ rules, with: changes, files }) {
  const text = new TextEncoder().encode(JSON.stringify({ name: rules, with: changes, files }))
  const packed = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer())
  if (text.length > maxText || packed.length * 4 / 3 > maxPacked) throw new Fault('', say('page.link_rules_long'))
  return '#r=' + btoa(Array.from(packed, b => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

// rulesOf are the rules of what follows "r=" in a fragment.
export async function rulesOf(packed) {
  const broken = () => new Fault('', say('page.link_damaged'))
  if (packed.length > maxPacked) throw new Fault('', say('page.link_long'))
  let bytes
  try {
    bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0))
  } catch { throw broken() }
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const parts = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => { throw broken() })
    if (done) break
    size += value.length
    if (size > maxText) {
      reader.cancel()
      throw new Fault('', say('page.link_much'))
    }
    parts.push(value)
  }
  let rules
  try { rules = JSON.parse(await new Blob(parts).text()) } catch { throw broken() }
  const isText = t => typeof t === 'string'
  const fine = typeof rules?.files === 'object' && rules.files !== null && Object.values(rules.files).every(isText) &&
    isText(rules.name) && isText(rules.files[rules.name]) && (rules.with === undefined || Array.isArray(rules.with) && rules.with.every(isText))
  if (!fine) throw broken()
  return { rules: rules.name, ...(rules.with ? { with: rules.with } : {}), files: rules.files }
}

// showRules shows rules of a link before they are played. It gives 'play', 'edit' or ''.
export function showRules({ rules, with: changes, files }) {
  return dialog(say('page.link_rules'), [
    make('p', {}, say('page.link_read')),
    ...Object.entries(files).map(([file, text]) => make('details', { open: file === (changes?.at(-1) ?? rules) }, make('summary', {}, file), make('pre', { class: 'lines', tabindex: 0 }, text))),
  ], [[say('page.take'), 'play'], [say('page.link_edit'), 'edit'], [say('page.not_now'), '']])
}
