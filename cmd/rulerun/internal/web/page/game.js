// A game on the page: what the door says of it, what people do, and the pieces that show it.

import { call, keeps, Fault } from './door.js'
import { BoardView } from './board.js'
import { find, make, sentence, stored } from './dom.js'
import * as panel from './panel.js'
import { say } from './words.js'

const pace = 320 // milliseconds between two throws of bots
const walk = 110 // milliseconds for a square

// kept is what this page has stored of a game, for an engine that does not have it any more: {id, record, files}.
export function kept(id) {
  const game = JSON.parse(sessionStorage.getItem('rulerun-game'))
  return game?.id === id ? game : null
}

export class Game {
  constructor() {
    this.id = null
    this.state = null
    this.view = null
    this.cursor = -1     // the option pointed at
    this.typed = ''      // digits of the number of an option
    this.busy = false
    this.hurry = false   // no more waiting for bots
    this.alone = false   // the person asked in secret has said to be alone
    this.replay = null   // {at, events, misfit} of a recorded game
    this.keyboard = false // the last thing a person used
  }

  // open shows a game from an answer to new, load, replay or state.
  async open(answer) {
    this.stop()
    this.id = answer.game
    this.replay = answer.replay ?? null
    this.texts = answer.files ? { files: answer.files } : {} // rule files that the engine has from this page
    this.text = answer.text // of a recorded game that this page has read
    this.plays = false
    this.view = null
    panel.clear()
    const [{ board }, { rules, played }] = await Promise.all([this.ask('board'), this.ask('rules')])
    this.board = board
    this.view = new BoardView(find('board'), board, (pick, near) => this.picked(pick, near))
    panel.rules(rules, board.legend)
    panel.sheet(this.id, played)
    this.take(answer)
    panel.log(answer.log)
    panel.fired(answer.events)
    this.render()
    this.address()
    await this.onward()
  }

  // address makes the page one that can be loaded again.
  address() {
    const part = `${this.replay ? 'replay' : 'game'}=${this.id}`
    if (location.hash.slice(1).split('&')[0] !== part) history.replaceState(null, '', '#' + part)
    this.remember()
  }

  // remember stores the game: the engine may be gone when the page is loaded again or people want to save it.
  async remember() {
    const { id, texts } = this
    try {
      const record = await this.record()
      sessionStorage.setItem('rulerun-game', JSON.stringify({ id, record, ...texts }))
    } catch { /* it holds secrets, or there is no room */ }
  }

  ask(what, more = {}) { return call({ do: what, game: this.id, ...more }) }

  // stop ends what moves.
  stop() {
    this.run = (this.run ?? 0) + 1
    this.busy = false
    this.hurry = false
  }

  // take makes the state of an answer the present one.
  take(answer) {
    this.state = answer.state
    if (answer.replay) this.replay = { ...this.replay, ...answer.replay }
    this.cursor = -1
    this.typed = ''
    this.alone = false
    this.secret = null
    this.view.set(this.state)
  }

  // options are what the person at the screen may choose now.
  get options() { return this.busy ? [] : (this.secret ?? this.state)?.options ?? [] }

  get numbers() { return this.busy ? [] : this.state?.numbers ?? [] }

  get people() { return this.state?.seats.filter(s => s.plays === 'human') ?? [] }

  // hidden reports whether the question is not to be shown before the person asked says to be alone.
  get hidden() { return this.state?.hidden && !this.secret && this.state.waits === 'other' && this.askedPerson }

  get askedPerson() { return this.people.some(s => s.name === this.state.asked) }

  // act sends what a person does, and shows what comes of it.
  async act(more) {
    if (this.busy || this.replay) return
    await this.show(() => this.ask('act', { shared: true, at: this.state.at, ...more }))
  }

  // show sends a request and plays its events.
  async show(request) {
    const run = this.run
    this.busy = true
    document.body.dataset.waits = 'busy'
    this.note('')
    this.point(-1)
    panel.actions(this)
    let answer
    try {
      answer = await request()
    } catch (e) {
      if (run !== this.run) return
      this.busy = false
      if (!(e instanceof Fault)) throw e
      if (e.code === 'late') return this.reload()
      this.note(sentence(e.message))
      return this.render()
    }
    if (run !== this.run) return
    await this.play(answer)
    if (run !== this.run) return
    this.busy = false
    this.hurry = false
    this.take(answer)
    panel.log(answer.log, answer.state.at)
    panel.fired(answer.events)
    this.render()
    this.remember()
    await this.onward()
  }

  // onward does what needs no decision: bots that go on, and throws for people who want that.
  async onward() {
    if (this.replay || this.busy || !this.state) return
    if (this.state.waits === 'other' && !this.askedPerson) {
      return this.show(() => this.ask('go', { shared: true, at: this.state.at }))
    }
    if (this.state.waits === 'throw' && (find('auto').checked || this.rush)) return this.act({ throw: true })
    this.rush = false
  }

  // play shows events one after the other.
  async play(answer) {
    const events = answer.events ?? []
    const run = this.run
    const quick = !find('moving').checked
    if (quick || !events.length) return
    const hurry = () => this.hurry || this.rush || run !== this.run || document.hidden
    const wait = time => new Promise(done => {
      const begin = performance.now()
      const step = () => hurry() || performance.now() - begin >= time ? done() : setTimeout(step, 20)
      step()
    })
    this.view.offer([], -1)
    const log = new Map((answer.log ?? []).map(e => [e.at, e]))
    for (const e of events) {
      if (run !== this.run) return
      if (log.has(e.at)) {
        panel.log([log.get(e.at)])
        log.delete(e.at)
      }
      switch (e.kind) {
        case 'throw':
        case 'number':
        case 'lot':
        case 'begins':
          panel.turn(this, e.seat)
          find('question').textContent = sentence(e.words)
          if (e.numbers) panel.dice(e.numbers, e.words, !hurry())
          await wait(e.kind === 'begins' ? 0 : pace)
          break
        case 'move':
          if (e.piece !== undefined) await this.view.hop(e.piece, e.to, e.way, walk, hurry)
          break
        case 'put':
          await this.view.hop(e.piece, e.to, null, 340, hurry)
          break
        case 'nothing':
          await wait(pace)
          break
      }
    }
  }

  // render shows the present state. The body says what the page waits for.
  render() {
    document.body.dataset.waits = this.replay ? 'replay' : this.hidden ? 'hidden' : this.secret ? this.secret.waits : this.state.waits
    document.body.dataset.at = this.state.at
    panel.players(this)
    panel.moment(this)
    panel.actions(this)
    panel.replay(this)
    this.point(this.cursor)
    find('undo').disabled = !this.state.undo || !!this.replay
    find('hint').disabled = find('why').disabled = !!this.replay
  }

  note(text) { find('note').textContent = text }

  // point selects an option.
  point(i) {
    this.cursor = i >= 0 && i < this.options.length + this.numbers.length ? i : -1
    this.view?.offer(this.options, this.cursor)
    panel.pointed(this)
  }

  // choose takes an option or a number, counted from 0.
  choose(i) {
    if (this.numbers.length) return this.act({ number: this.numbers[i] })
    if (i >= 0 && i < this.options.length) return this.act({ option: i })
  }

  // picked is a click on the board: the first on a piece or a place points, the next one takes.
  picked(pick, near) {
    if (pick.other !== undefined) return this.explain(pick.other)
    if (pick.place !== undefined) { // on a phone names are small
      if (!this.busy) this.note(this.view.called(pick.place).words)
      return
    }
    const chosen = this.options[this.cursor]
    if (near.some(p => p.option !== undefined && p.option === this.cursor)) return this.choose(this.cursor)
    if (pick.piece !== undefined) {
      const own = this.options.flatMap((o, i) => o.piece === pick.piece ? [i] : [])
      if (own.length === 1 && own[0] === this.cursor) return this.choose(this.cursor)
      return this.point(own[(own.indexOf(this.cursor) + 1) % own.length])
    }
    const ends = near.flatMap(p => p.option === undefined ? [] : [p.option])
    const same = ends.find(i => chosen && this.options[i].piece === chosen.piece)
    this.point(same ?? ends[(ends.indexOf(this.cursor) + 1) % ends.length])
  }

  // reload shows the game as it stands.
  async reload() {
    const answer = await this.ask('state', { shared: true, at: 0 })
    this.take(answer)
    panel.log(answer.log, answer.state.at)
    this.render()
    await this.onward()
  }

  // retell shows the game in another language, where it stands.
  async retell() {
    if (!this.state) return
    if (!this.replay) return this.open({ ...await this.ask('state', { shared: true, at: 0 }), ...this.texts })
    const { at } = this.replay
    await this.open({ ...await this.ask('step', { at: 0 }), ...this.texts, text: this.text })
    await this.to(at)
  }

  async reveal() {
    const { state } = await this.ask('state', { seat: this.state.asked, at: this.state.at })
    this.secret = state
    this.render()
  }

  async undo() {
    if (this.busy || !this.state?.undo) return this.note(say('table.undo'))
    const run = this.run
    try {
      const answer = await this.ask('undo', { shared: true, at: this.state.at })
      if (run !== this.run) return
      this.take(answer)
      panel.log([], answer.state.at)
      this.render()
      this.remember()
      this.note(say('taken_back', { who: this.view.called(this.state.asked) }))
    } catch (e) { this.note(sentence(e.message)) }
  }

  async hint() {
    if (this.busy || this.state?.waits !== 'option' || this.replay) return this.note(say('screen.no_choice'))
    this.note(say('screen.thinking'))
    const { state } = this
    try {
      const { hint, lines } = await this.ask('hint', { shared: true })
      if (this.busy || state !== this.state) return // the choice has been made meanwhile
      this.point(hint)
      this.note([say('screen.hint', { option: this.options[hint].words }), ...lines ?? []].join(' '))
    } catch (e) { this.note(sentence(e.message)) }
  }

  async why(text) {
    const { lines } = await this.ask('why', { shared: true, ...(text ? { text } : {}) })
    return lines.map(l => l.trim())
  }

  // explain says why the pieces on a place cannot be moved.
  async explain(place) {
    if (this.busy || this.replay || this.state.waits !== 'option') return
    try {
      this.note((await this.why(place)).join('\n'))
    } catch (e) { this.note(sentence(e.message)) }
  }

  // find takes the move that words name: "12 17".
  async find(text) {
    const { option, lines } = await this.ask('find', { shared: true, text })
    if (option !== undefined) {
      this.choose(option)
      return []
    }
    return lines
  }

  async record() {
    if (this.replay && this.text) return this.text
    try {
      return (await this.ask('record')).record
    } catch (e) {
      const text = e.code === 'gone' && kept(this.id)?.record
      if (!text) throw e
      return text
    }
  }

  // to shows a recorded game after some events.
  async to(n) {
    const from = this.replay.at
    n = Math.max(0, Math.min(n, this.replay.events))
    if (this.stepping) { this.next = n; return }
    this.stepping = true
    const run = this.run
    try {
      const answer = await this.ask('step', { at: n })
      if (run !== this.run) return
      if (n === from + 1) {
        this.busy = true
        await this.play(answer)
        this.busy = false
      }
      if (run !== this.run) return
      this.take(answer)
      panel.log(answer.log, answer.replay.at)
      panel.fired(answer.events)
      this.render()
      this.note(sentence(answer.replay.misfit))
    } finally { this.stepping = false }
    if (this.next !== undefined) {
      const then = this.next
      this.next = undefined
      await this.to(then)
    }
  }

  // running shows the recorded game event by event, or stops.
  async running() {
    this.plays = !this.plays
    while (this.plays && this.replay && this.replay.at < this.replay.events && !this.replay.misfit) {
      const at = this.replay.at
      panel.replay(this)
      await this.to(at + 1)
      if (this.replay?.at !== at + 1) break
      await new Promise(done => setTimeout(done, find('moving').checked ? 30 : pace))
    }
    this.plays = false
    panel.replay(this)
  }

  // fromHere plays on from the event shown.
  async fromHere() {
    await this.open(await call({ do: 'load', game: this.id, at: this.replay.at, shared: true }))
  }

  // digit takes the option of a number, once no other number begins so.
  digit(d) {
    if (this.numbers.length) {
      const i = this.numbers.indexOf(Number(this.typed + d))
      if (i >= 0) return this.choose(i)
      this.typed += d
      return
    }
    const count = this.options.length
    if (!count) {
      if (this.state.waits === 'throw') this.note(say('table.throw_first'))
      return
    }
    const typed = this.options[0].key ? (this.typed + d).replace(/^0+/, '') : this.typed + d
    const keys = this.options.map(o => o.key ?? o.words)
    const i = keys.indexOf(typed), longer = keys.some(k => k !== typed && k.startsWith(typed))
    if (!typed || i < 0 && !longer) {
      this.typed = ''
      return this.note(say('screen.count', { n: count }))
    }
    if (i >= 0) this.point(i)
    if (!longer) return this.choose(i)
    this.typed = typed
    this.note(say('screen.digit', { number: typed }))
  }

  // enter throws, takes the option pointed at, or waits no longer.
  enter() {
    if (this.busy) { this.hurry = true; return }
    if (this.replay) return this.to(this.replay.at + 1)
    if (this.hidden) return this.reveal()
    if (this.state?.waits === 'throw') return this.act({ throw: true })
    if (this.cursor >= 0) return this.choose(this.cursor)
    if (this.options.length + this.numbers.length) this.point(0)
  }

  // move points at another option.
  move(by) {
    const n = this.options.length + this.numbers.length
    if (n) this.point(this.cursor < 0 ? (by > 0 ? 0 : n - 1) : (this.cursor + by + n) % n)
  }

  // far throws and goes on to the next choice.
  far() {
    this.rush = true
    if (this.busy) return
    this.onward().finally(() => { this.rush = false })
  }
}
