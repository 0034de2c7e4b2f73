// The board: the drawing that the door gives, with pieces that move on it.

import { makeSVG } from './dom.js'
import { say } from './words.js'

const reach = 26 // how far from a target, in pixels of the screen, a finger still hits it

export class BoardView {
  // room is the element that holds the drawing. onPick gets what people click: {piece} or {option}, of what can be chosen, {other}, the
  // place of another piece, or {place}.
  constructor(room, board, onPick) {
    this.board = board
    this.onPick = onPick
    this.places = new Map() // by key: the place with its spots
    for (const p of board.places) this.places.set(p.name + '/' + (p.colour ?? ''), p)
    this.colours = new Map(board.colours.map(c => [c.name, c]))
    this.names = new Map([...board.places, ...board.colours].map(x => [x.name, { words: x.words ?? x.name, forms: x.forms }]))
    this.standing = new Map() // by key of a place: numbers of pieces, the oldest arrival first
    this.pieces = new Map()   // by number: {colour, key, element, x, y, r}
    this.marks = [] // what can be clicked: {x, y, r, pick}
    this.motion = 0

    const parsed = new DOMParser().parseFromString(board.svg, 'image/svg+xml').documentElement
    this.svg = document.importNode(parsed, true)
    this.svg.removeAttribute('width')
    this.svg.removeAttribute('height')
    this.svg.setAttribute('role', 'group')
    this.svg.setAttribute('aria-label', this.svg.querySelector('title')?.textContent ?? say('page.board'))
    this.svg.setAttribute('aria-describedby', 'described')
    this.svg.querySelector(':scope > title')?.remove() // the board has a name, but no tooltip
    this.labels = [...this.svg.querySelectorAll('.label')].map(l => {
      const text = l.querySelector('text')
      const size = Number(text.getAttribute('font-size'))
      return [l, l.dataset.place, Number(text.getAttribute('x')), Number(text.getAttribute('y')) - 0.35 * size, size]
    })
    const plain = new Set() // places in the colour of the board, which is dark or light
    for (const place of this.svg.querySelectorAll('.square, .zone')) {
      if (!place.querySelector('.fill-paper')) continue
      place.classList.add('plain')
      plain.add(place.dataset.place)
    }
    for (const [label, name] of this.labels) if (plain.has(name)) label.classList.add('plain')
    const defs = makeSVG('defs')
    for (const c of board.colours) defs.append(ball(c))
    this.layers = {}
    this.svg.append(defs)
    for (const name of ['trays', 'ways', 'standing', 'marks']) {
      this.layers[name] = makeSVG('g', { class: 'layer-' + name, 'aria-hidden': name === 'standing' || name === 'trays' ? null : 'true' })
      this.svg.append(this.layers[name])
    }
    this.svg.addEventListener('click', e => this.click(e))
    this.svg.addEventListener('pointermove', e => this.hover(e))
    room.replaceChildren(this.svg)
    this.trays()
  }

  // called is what players call a colour, a seat or a place.
  called(name) { return this.names.get(name) ?? { words: name } }

  key(place, colour) {
    const own = place + '/' + colour
    return this.places.has(own) ? own : place + '/'
  }

  // trays shows the zones beside the board that pieces of this game use, or are in.
  trays() {
    let rows = 0
    const nodes = []
    for (const [key, p] of this.places) {
      if (!p.tray) continue
      if (!p.shown && !this.standing.get(key)?.length) continue
      p.down = rows * this.board.tray
      const [, y] = p.spots[0]
      nodes.push(makeSVG('text', { x: this.board.left + 32, y: y + p.down + 6, class: 'tray' }, p.words ?? p.name))
      rows++
    }
    this.layers.trays.replaceChildren(...nodes)
    const b = this.board
    this.svg.setAttribute('viewBox', `${b.left} ${b.top} ${b.width} ${b.height + rows * b.tray}`)
    this.svg.classList.toggle('wide', b.width > 1.3 * b.height)
  }

  // spot is where the i-th of n pieces stands: [x, y, radius].
  spot(key, i, n) {
    const p = this.places.get(key)
    if (!p) return null
    const list = p.spots[Math.min(n, p.spots.length) - 1]
    const at = 3 * (i % (list.length / 3))
    return [list[at], list[at + 1] + (p.down ?? 0), list[at + 2]]
  }

  // middle is where a single piece would stand.
  middle(place, colour) { return this.spot(this.key(place, colour), 0, 1) }

  // set puts all pieces where a state says.
  set(state) {
    this.motion++
    this.standing.clear()
    const there = new Set()
    for (const p of state.pieces) {
      there.add(p.id)
      const key = this.key(p.at, p.colour)
      if (!this.standing.has(key)) this.standing.set(key, [])
      this.standing.get(key).push(p.id)
      let piece = this.pieces.get(p.id)
      if (piece && piece.colour !== p.colour) {
        piece.element.remove()
        piece = null
      }
      if (!piece) {
        piece = this.draw(p)
        this.pieces.set(p.id, piece)
      }
      piece.key = key
      piece.element.setAttribute('aria-label', say('page.piece', { colour: this.called(p.colour), place: this.called(p.at) }))
    }
    for (const [id, piece] of this.pieces) {
      if (there.has(id)) continue
      piece.element.remove()
      this.pieces.delete(id)
    }
    this.trays()
    for (const [id, at] of this.spots()) this.put(id, at)
    this.cover()
    this.describe(state)
  }

  // describe lists the pieces for people who do not see the board.
  describe(state) {
    const of = new Map()
    for (const p of state.pieces) {
      if (!of.has(p.colour)) of.set(p.colour, [])
      of.get(p.colour).push(this.called(p.at).words)
    }
    const text = [...of].map(([colour, at]) => say('page.pieces', { colour: this.called(colour), places: at.join(', ') })).join('; ')
    const element = document.getElementById('described')
    if (element) element.textContent = text
  }

  // spots lists the spots of all pieces.
  spots() {
    const out = []
    for (const [key, ids] of this.standing) {
      ids.forEach((id, i) => {
        const at = this.spot(key, i, ids.length)
        if (at) out.push([id, at])
      })
    }
    return out
  }

  draw(p) {
    const colour = this.colours.get(p.colour)
    const element = makeSVG('g', { class: 'piece', role: 'img', 'data-piece': p.id },
      makeSVG('circle', { class: 'halo', r: 1.16 }),
      makeSVG('circle', { class: 'ball', r: 1, fill: `url(#live-${colour.name})`, stroke: shade(colour.hue) }),
      makeSVG('text', { y: 0.4, class: light(colour.hue) ? 'on-light' : 'on-dark' }, colour.letter))
    this.layers.standing.append(element)
    return { colour: p.colour, element, x: 0, y: 0, r: 0 }
  }

  put(id, [x, y, r]) {
    const piece = this.pieces.get(id)
    Object.assign(piece, { x, y, r })
    piece.element.setAttribute('transform', `translate(${round(x)} ${round(y)}) scale(${round(r)})`)
  }

  // cover moves labels out from under pieces, or hides them where there is no room.
  cover() {
    for (const [label, name, x, y, size] of this.labels) {
      const p = this.places.get(name + '/')
      const n = this.standing.get(name + '/')?.length ?? 0
      let move = null, hidden = false
      const beside = p && !p.zone && Math.abs(y - this.spot(name + '/', 0, 1)[1]) > p.long / 2
      if (p && !p.zone && !beside) {
        const taken = n === 1 ? this.spot(name + '/', 0, 1)[2] * 1.16 : Infinity
        const room = p.long / 2 - taken
        if (room >= 6.7 * label.textContent.trim().length) {
          const away = taken + room / 2, turn = (p.angle ?? 0) * Math.PI / 180
          move = `translate(${round(away * Math.cos(turn))} ${round(away * Math.sin(turn))})`
        }
        hidden = n > 0 && !move
      } else { // a zone, or a name beside its square
        const half = 0.28 * size * label.textContent.trim().length
        hidden = [...this.pieces.values()].some(q => Math.abs(q.x - x) < q.r + half && Math.abs(q.y - y) < q.r * 1.16 + size / 2)
      }
      label.classList.toggle('beside', !!beside)
      label.classList.toggle('covered', hidden)
      label.classList.toggle('moved', !!move)
      if (move) label.setAttribute('transform', move)
      else label.removeAttribute('transform')
    }
  }

  // hop moves a piece by a way of places, or straight if there is none. It ends early when `hurry()` says so.
  async hop(id, to, way, each, hurry) {
    const piece = this.pieces.get(id)
    if (!piece) return
    const key = this.key(to, piece.colour)
    const left = this.standing.get(piece.key)
    left?.splice(left.indexOf(id), 1)
    if (!this.standing.has(key)) this.standing.set(key, [])
    this.standing.get(key).push(id)
    piece.key = key
    this.trays()
    piece.element.parentNode.append(piece.element) // in front of the others
    const ends = new Map(this.spots())
    const points = (way ?? []).slice(1, -1).map(place => this.middle(place, piece.colour)).filter(Boolean)
    const last = ends.get(id)
    if (last) points.push(last)
    for (const at of points) await this.glide(new Map([[id, [at[0], at[1], Math.max(at[2], piece.r)]]]), each, hurry)
    await this.glide(ends, Math.min(each, 120), hurry)
    this.cover()
  }

  // glide moves pieces to spots in some milliseconds.
  glide(ends, time, hurry) {
    const motion = this.motion
    const begin = performance.now()
    const moves = [...ends].map(([id, to]) => ({ id, to, from: [this.pieces.get(id).x, this.pieces.get(id).y, this.pieces.get(id).r] }))
      .filter(m => m.to.some((v, i) => Math.abs(v - m.from[i]) > 0.05))
    return new Promise(done => {
      const step = now => {
        if (motion !== this.motion) return done()
        const part = hurry() || time <= 0 || !moves.length ? 1 : Math.min(1, (now - begin) / time)
        const eased = part * (2 - part)
        for (const m of moves) this.put(m.id, m.from.map((v, i) => v + (m.to[i] - v) * eased))
        if (part < 1) requestAnimationFrame(step)
        else done()
      }
      step(begin)
    })
  }

  // offer marks what can be moved, and where to. chosen is the option pointed at, or -1.
  offer(options, chosen) {
    this.marks = []
    const ways = [], marks = []
    for (const piece of this.pieces.values()) piece.element.classList.remove('can', 'chosen')
    const ends = new Map() // several moves may end on one spot
    options.forEach((o, i) => {
      const piece = o.piece === undefined ? null : this.pieces.get(o.piece)
      if (piece) {
        piece.element.classList.add('can')
        this.marks.push({ x: piece.x, y: piece.y, r: piece.r, pick: { piece: o.piece } })
      }
      const to = o.to && this.middle(o.to, piece?.colour)
      if (!to) return
      this.marks.push({ x: to[0], y: to[1], r: to[2], pick: { option: i } })
      const key = this.key(o.to, piece?.colour)
      if (!ends.has(key)) ends.set(key, { to, options: [] })
      ends.get(key).options.push(i)
    })
    for (const { to, options: list } of ends.values()) {
      const on = list.includes(chosen)
      marks.push(makeSVG('circle', { class: on ? 'end on' : 'end', cx: to[0], cy: to[1], r: to[2] * 1.12 }))
      const text = (on ? [chosen] : list).map(i => options[i].key).filter(Boolean).join(',')
      if (!text) continue
      const x = to[0] + to[2] * 0.95, y = to[1] - to[2] * 0.95
      marks.push(makeSVG('g', { class: on ? 'badge on' : 'badge', transform: `translate(${round(x)} ${round(y)})` },
        makeSVG('rect', { x: -4 - 3.4 * text.length, y: -8, width: 8 + 6.8 * text.length, height: 16, rx: 8 }),
        makeSVG('text', { y: 4.5 }, text)))
    }
    const o = options[chosen]
    if (o) {
      const piece = o.piece === undefined ? null : this.pieces.get(o.piece)
      piece?.element.classList.add('chosen')
      const way = o.way?.length > 1 ? o.way : [o.from, o.to]
      const points = way.filter(Boolean).map(place => this.middle(place, piece?.colour)).filter(Boolean)
      if (piece && points.length) points[0] = [piece.x, piece.y]
      if (points.length > 1) ways.push(makeSVG('polyline', { class: 'way', points: points.map(p => `${round(p[0])},${round(p[1])}`).join(' ') }))
      for (const put of o.puts ?? []) {
        const moved = this.pieces.get(put.id), to = this.middle(put.at, put.colour)
        if (!moved || !to) continue
        ways.push(makeSVG('line', { class: 'put', x1: moved.x, y1: moved.y, x2: to[0], y2: to[1] }))
        marks.push(makeSVG('path', { class: 'hit', d: cross(moved.x, moved.y, moved.r * 0.9) }))
      }
    }
    this.layers.ways.replaceChildren(...ways)
    this.layers.marks.replaceChildren(...marks)
    this.svg.classList.toggle('choosing', this.marks.length > 0)
  }

  // at is the nearest mark to a point of the screen.
  at(e) {
    const matrix = this.svg.getScreenCTM()
    if (!matrix) return null
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(matrix.inverse())
    let best = null, nearest = Infinity
    for (const m of this.marks) {
      const away = Math.hypot(m.x - p.x, m.y - p.y)
      if (away < nearest && away <= Math.max(m.r * 1.3, reach / matrix.a)) [best, nearest] = [m, away]
    }
    return best
  }

  click(e) {
    const mark = this.at(e)
    if (mark) return this.onPick(mark.pick, this.near(mark))
    const id = e.target.closest?.('.piece')?.dataset.piece
    if (id !== undefined) return this.onPick({ other: this.pieces.get(Number(id)).key.split('/')[0] }, [])
    const place = e.target.closest?.('[data-place]')?.dataset.place
    if (place) this.onPick({ place }, [])
  }

  // near lists everything that can be clicked at a mark: a piece may stand where another one's way ends.
  near(mark) {
    return this.marks.filter(m => Math.hypot(m.x - mark.x, m.y - mark.y) < 1).map(m => m.pick)
  }

  hover(e) {
    if (e.pointerType === 'mouse') this.svg.classList.toggle('over', !!this.at(e))
  }
}

// badge is a piece in text: a disc with its letter.
export function badge(colour) {
  return makeSVG('svg', { class: 'token', viewBox: '-1.2 -1.2 2.4 2.4', 'aria-hidden': 'true' },
    makeSVG('circle', { r: 1, fill: colour.hue, stroke: shade(colour.hue), 'stroke-width': 0.12 }),
    makeSVG('text', { y: 0.42, class: light(colour.hue) ? 'on-light' : 'on-dark' }, colour.letter))
}

// die is a die in a drawing: dots up to six, a number otherwise.
export function die(value) {
  const dots = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] }[value]
  const face = makeSVG('rect', { x: 1, y: 1, width: 38, height: 38, rx: 8 })
  const inside = dots
    ? dots.map(d => makeSVG('circle', { cx: 10 + 10 * (d % 3), cy: 10 + 10 * Math.floor(d / 3), r: 3.6 }))
    : [makeSVG('text', { x: 20, y: 27 }, String(value))]
  return makeSVG('svg', { class: 'die', viewBox: '0 0 40 40', 'aria-hidden': 'true' }, face, ...inside)
}

function ball(colour) {
  return makeSVG('radialGradient', { id: 'live-' + colour.name, cx: 0.38, cy: 0.32, r: 0.75 },
    makeSVG('stop', { offset: 0, 'stop-color': mix(colour.hue, 255, 0.4) }),
    makeSVG('stop', { offset: 0.55, 'stop-color': colour.hue }),
    makeSVG('stop', { offset: 1, 'stop-color': mix(colour.hue, 0, 0.2) }))
}

function parts(hue) { return [1, 3, 5].map(i => parseInt(hue.slice(i, i + 2), 16)) }

function mix(hue, with_, share) {
  return '#' + parts(hue).map(v => Math.round(v + (with_ - v) * share).toString(16).padStart(2, '0')).join('')
}

const shade = hue => mix(hue, 0, 0.62)

// light reports whether dark text reads better on a colour than white text: by the contrast of WCAG.
function light(hue) {
  const [r, g, b] = parts(hue).map(v => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.2
}

const cross = (x, y, d) => `M${x - d} ${y - d}L${x + d} ${y + d}M${x + d} ${y - d}L${x - d} ${y + d}`

const round = v => Math.round(v * 100) / 100
