// What the page says: sentences by key, in the language that people have chosen, from a catalogue that the host gives.

import { stored } from './dom.js'

const root = document.documentElement
export const languages = JSON.parse(root.dataset.languages) // what they call themselves, by their names

// base is the language of the catalogue that a language has.
export const base = tag => languages[tag] ? tag : tag.split('-')[0]

// preferred is what people have chosen on this page, then what the host says, then what the browser prefers.
function preferred() {
  const wanted = [stored.get('language'), root.dataset.lang, ...navigator.languages ?? []]
  return wanted.find(tag => tag && languages[base(tag)]) ?? 'en'
}

// lang is the language: "es", or "es-MX" if the browser prefers that.
export let lang = preferred()

let texts = {}, plurals

async function load(tag) {
  const response = await fetch(`words.${base(tag)}.json`)
  if (!response.ok) throw new Error(response.statusText)
  texts = await response.json()
  root.lang = lang = tag
  plurals = new Intl.PluralRules(tag)
  for (const e of document.querySelectorAll('[data-say]')) e.textContent = say(e.dataset.say)
  for (const e of document.querySelectorAll('[data-label]')) e.setAttribute('aria-label', say(e.dataset.label))
}

// ready is when texts can be said.
export const ready = load(lang)

// speak changes the language, for the next visits as well. The document hears of it by the event "language".
async function speak(tag) {
  await load(tag)
  stored.set('language', tag)
  document.dispatchEvent(new Event('language'))
}

export const knows = key => key in texts

const hole = /\{\{\s*\.([\p{L}_][\p{L}\p{N}_]*)(?:\.([a-z_]+))?\s*\}\}/gu

// say is the text of a key. The values are for its holes, {{.name}}; the number n chooses the plural. A value may be {words, forms},
// whose form "f" is in the hole {{.name.f}}; its form "gender" chooses the text with the key "key.f" if there is one.
export function say(key, values = {}) {
  const gender = Object.values(values).find(v => v?.forms?.gender)?.forms.gender
  const text = texts[`${key}.${gender}`] ?? texts[key] ?? key
  return (text[values.n === undefined ? 'other' : plurals.select(values.n)] ?? text.other ?? text).replace(hole, (whole, name, form) => {
    const value = values[name]
    return value === undefined ? whole : value.forms?.[form] ?? value.words ?? value
  })
}

// family has the texts whose keys begin with a prefix, by the rest of them.
export const family = prefix => Object.fromEntries(Object.keys(texts).filter(k => k.startsWith(prefix)).map(k => [k.slice(prefix.length), say(k)]))

// list lists words: "a, b and c".
export function list(words) {
  return words.length < 2 ? words.join('') : say('list.and', { first: words.slice(0, -1).join(', '), last: words.at(-1) })
}

// computer is what a bot is called.
export const computer = name => knows('computer.' + name) ? say('computer.' + name) : name

// choice is a field for the language.
export function choice() {
  const field = document.createElement('select')
  field.className = 'language'
  field.setAttribute('aria-label', say('page.language'))
  for (const [tag, name] of Object.entries(languages)) {
    const option = new Option(name, tag, false, tag === base(lang))
    option.lang = tag
    field.append(option)
  }
  field.addEventListener('change', () => speak(field.value))
  return field
}
