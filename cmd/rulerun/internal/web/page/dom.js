// Small helpers for elements. Text is always set as text, never as markup.

export const find = id => document.getElementById(id)

// make makes an element. Attributes that are false or null are left out, true ones are empty; on… are listeners.
export function make(tag, attributes = {}, ...content) {
  return fill(document.createElement(tag), attributes, content)
}

export function makeSVG(tag, attributes = {}, ...content) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, content)
}

function fill(element, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...content.flat().filter(c => c !== null && c !== undefined && c !== ''))
  return element
}

// sentence is a message with a capital letter and a full stop.
export function sentence(text) {
  return capital(text) + (!text || /[.!?…]$/.test(text) ? '' : '.')
}

// capital is a text with a capital letter.
export function capital(text) { return text ? text[0].toUpperCase() + text.slice(1) : '' }

// stored is a choice that stays for the next visit.
export const stored = {
  get(name) { try { return localStorage.getItem('rulerun-' + name) } catch { return null } },
  set(name, value) { try { localStorage.setItem('rulerun-' + name, value) } catch { /* private windows may refuse */ } },
}
