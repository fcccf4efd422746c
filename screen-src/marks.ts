/**
 * Where the commands of a shell are on the terminal, and how each ended, by the marks of OSC 133 that carry the session's
 * nonce. Marks without it are left alone. Knows neither texts nor times: those are facts of the host, by the same ordinal.
 */
import { Places, type Place } from './line-place.ts'
import { fillerBefore } from './prompt-filler.ts'
import type { CommandMark, CommandOutcome, MarksState } from './terminal-state.ts'
import type { Core } from './xterm-internals.ts'

/** As many as the host keeps commands; the oldest goes. */
const MAX_MARKS = 200
const MAX_EXIT_CODE = 0xffff_ffff

interface Mark {
  readonly id: number
  readonly at: Place
  readonly from: Place | null
  outcome: CommandOutcome
  to: Place | null
}

export class CommandMarks {
  readonly #core: Core
  readonly #places: Places
  /** What the shell's own marks carry; null: none is believed. */
  nonce: string | null = null
  /** Commands begun so far; null when output that may have had some was left out. */
  #count: number | null = 0
  /** Where the command will stand that is typed now. */
  #prompt: Place | null = null
  #marks: Mark[] = []

  constructor(core: Core) {
    this.#core = core
    this.#places = new Places(core)
    core._inputHandler.registerOscHandler(133, (data) => {
      this.#take(data)
      return true
    })
  }

  /** Forget all. @param isFromStart whether the stream begins here, so that the next command is its first */
  reset(isFromStart: boolean): void {
    this.#count = isFromStart ? 0 : null
    this.#places.drop(this.#prompt)
    this.#prompt = null
    for (const mark of this.#marks.splice(0)) this.#dropMark(mark)
  }

  /** Output was left out: whatever began before may have ended there, and the commands in it were not counted. */
  lose(): void {
    this.#count = null
    this.#giveUp()
  }

  state(): MarksState {
    return {
      count: this.#count,
      prompt: this.#places.now(this.#prompt),
      commands: this.#marks.flatMap(({ id, outcome, at, from, to }): CommandMark[] => {
        const place = this.#places.now(at)
        if (place === null) return []
        return [{ id, outcome, at: place, from: this.#places.now(from), to: this.#places.now(to) }]
      }),
    }
  }

  /** Into buffers that were made for it. */
  restore({ count, prompt, commands }: MarksState): void {
    this.#count = count
    this.#prompt = prompt === null ? null : this.#places.at(prompt)
    this.#marks = commands.map(({ id, outcome, at, from, to }) => ({
      id,
      outcome,
      at: this.#places.at(at),
      from: from === null ? null : this.#places.at(from),
      to: to === null ? null : this.#places.at(to),
    }))
  }

  #take(data: string): void {
    if (this.nonce === null || !data.includes(this.nonce)) return
    const [kind, ...fields] = data.split(';')
    if (!fields.includes(`k=${this.nonce}`)) return
    switch (kind) {
      case 'A':
      case 'B':
        this.#giveUp()
        this.#places.drop(this.#prompt)
        this.#prompt = this.#places.atCursor()
        return
      case 'C':
        this.#begin()
        return
      case 'D':
        this.#end(exitCode(fields[0]))
        return
      default:
    }
  }

  #begin(): void {
    this.#giveUp()
    if (this.#count !== null) this.#count += 1
    const prompt = this.#places.now(this.#prompt) === null ? null : this.#prompt
    this.#prompt = null
    const typed = prompt ?? this.#places.aboveCursor()
    if (typed === null) return
    // Where the end of a prompt is not told, it may begin with an empty line.
    const at = this.#places.belowEmptyRows(typed)
    for (const mark of this.#marks) if (this.#places.now(mark.at) === null) this.#dropMark(mark)
    this.#marks = this.#marks.filter((mark) => this.#places.now(mark.at) !== null)
    this.#marks.push({ id: this.#count ?? 0, outcome: 'running', at, from: this.#places.atCursor(), to: null })
    if (this.#marks.length > MAX_MARKS) this.#dropMark(this.#marks.shift())
  }

  #end(code: number | null): void {
    const last = this.#marks.at(-1)
    if (last?.outcome !== 'running') return
    last.outcome = code ?? 'unknown'
    last.to = this.#places.atCursor(fillerBefore(this.#core))
  }

  /** What runs will not be seen to end: something else began, or is awaited, without a word about it. */
  #giveUp(): void {
    const last = this.#marks.at(-1)
    if (last?.outcome === 'running') last.outcome = 'unknown'
  }

  #dropMark(mark: Mark | undefined): void {
    for (const place of [mark?.at, mark?.from, mark?.to]) this.#places.drop(place)
  }
}

function exitCode(field: string | undefined): number | null {
  if (field === undefined || !/^\d{1,10}$/.test(field)) return null
  const code = Number(field)
  return code <= MAX_EXIT_CODE ? code : null
}
