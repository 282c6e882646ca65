/**
 * Records and replays the steps of a run. Steps are identified by request and occurrence, because their order may vary.
 */
import { type Clock, sha256 } from '@joust/io'
import { messageOf, type Value } from '@joust/source'
import { RunFailure } from '../model/errors.ts'
import type { TokenUsage } from '../model/events.ts'
import type { Journal, JournalStep } from '../model/journal.ts'
import type { JournalFile } from './file.ts'
import type { Line } from './shapes.ts'

export interface OpenedJournal {
  readonly journal: Journal
  /** Number of steps that were complete on opening. */
  readonly recorded: number
  /** Returns the number of recorded steps that this process has not used. */
  unused(): number
  /** The result of the run if it has finished. */
  readonly finished: unknown
  /** Aborted with a `RunFailure` on a write error, because unrecorded work would be repeated later. */
  readonly broken: AbortSignal
  finish(result: unknown): void
  close(): void
}

/**
 * Maximum length of a value that is written repeatedly, in characters. Longer values, such as tool lists, are written
 * once and then referenced.
 */
const LONGEST_REPEATED = 200

export function createJournal(file: JournalFile, clock: Clock): OpenedJournal {
  const steps = new Steps(file, clock)
  return {
    journal: steps.of(''),
    recorded: steps.recorded,
    unused: () => steps.unused,
    finished: file.lines.flatMap((line) => ('finished' in line ? [line.finished] : []))[0],
    broken: steps.broken.signal,
    finish: (finished) => steps.write({ finished }, true),
    close: () => file.close(),
  }
}

type Entry<L = Line> = L extends unknown ? Omit<L, 'at'> : never

class Steps {
  readonly broken = new AbortController()
  readonly recorded: number
  readonly #file: JournalFile
  readonly #clock: Clock
  readonly #ended = new Map<string, unknown>()
  readonly #unused = new Set<string>()
  readonly #begun = new Map<string, number>()
  readonly #spent = new Map<string, TokenUsage[]>()
  readonly #occurrences = new Map<string, number>()
  /** The id of the first step that ended with a value, by the hash of the value. */
  readonly #values = new Map<string, string>()
  readonly #openedAt: number
  readonly #workedBefore: number

  constructor(file: JournalFile, clock: Clock) {
    this.#file = file
    this.#clock = clock
    this.#openedAt = clock.now()
    this.#workedBefore = file.lines.reduce((most, { at }) => Math.max(most, at), 0)
    for (const line of file.lines) this.#read(line)
    this.recorded = this.#ended.size
  }

  /** Returns the journal for the agent at `place`, which distinguishes identical requests of two agents. */
  of(place: string): Journal {
    return {
      step: (step) => this.#step(place, step),
      once: (name, make) => this.#once(place, name, make),
      workedMs: () => this.#workedMs(),
      spend: (usage) => this.write({ spent: usage, by: place }, true),
      spent: () => {
        const spent = this.#spent.get(place) ?? []
        this.#spent.delete(place)
        return spent
      },
      below: (name) => this.of(`${place}/${name}`),
    }
  }

  write(entry: Entry, durable: boolean): void {
    try {
      this.#file.append({ ...entry, at: this.#workedMs() }, durable)
    } catch (thrown) {
      const message = `cannot write the journal: ${messageOf(thrown)}`
      const failure = new RunFailure({ code: 'journal_failed', message, agent: [] })
      this.broken.abort(failure)
      throw failure
    }
  }

  get unused(): number {
    return this.#unused.size
  }

  async #step<T>(place: string, { kind, request, act, again, lost }: JournalStep<T>): Promise<T> {
    const id = this.#next(kind, { place, request })
    const begun = this.#begun.get(id) ?? 0
    const unended = this.#ended.has(id) ? begun - 1 : begun
    if (unended > 0) lost?.(unended)
    // The shape of recorded values was checked when the journal was read.
    if (this.#ended.has(id)) return this.#ended.get(id) as T
    const inDoubt = begun > 0 && again !== undefined
    // A step with side effects must be on disk before it runs; repeating a model call only costs tokens.
    if (!inDoubt && (again ?? lost) !== undefined) this.write({ begin: id }, kind !== 'model')
    return this.#end(id, await (inDoubt ? again() : act()), kind !== 'list')
  }

  #once<T extends Value>(place: string, name: string, make: () => T): T {
    const id = this.#next(name, { place })
    // The shape was checked when the journal was read.
    return this.#ended.has(id) ? (this.#ended.get(id) as T) : this.#end(id, make(), false)
  }

  #next(kind: string, request: unknown): string {
    const name = `${kind} ${sha256(this.#file.codec.write(request), 24)}`
    const count = (this.#occurrences.get(name) ?? 0) + 1
    this.#occurrences.set(name, count)
    const id = `${name} ${count}`
    this.#unused.delete(id)
    return id
  }

  /** Returns the value as a later process would read it, so that both processes continue in the same way. */
  #end<T>(id: string, value: T, durable: boolean): T {
    const text = this.#file.codec.write(value ?? null)
    const hash = sha256(text)
    const same = text.length > LONGEST_REPEATED ? this.#values.get(hash) : undefined
    this.write(same === undefined ? { end: id, value: value ?? null } : { end: id, same }, durable)
    if (same === undefined) this.#values.set(hash, id)
    return this.#file.codec.read(text) as T
  }

  #read(line: Line): void {
    if ('begin' in line) this.#begun.set(line.begin, (this.#begun.get(line.begin) ?? 0) + 1)
    else if ('end' in line) {
      const value = 'same' in line ? this.#ended.get(line.same) : line.value
      this.#ended.set(line.end, value)
      this.#unused.add(line.end)
      if (!('same' in line)) this.#values.set(sha256(this.#file.codec.write(value)), line.end)
    } else if ('spent' in line) {
      // The shape was checked when the journal was read.
      this.#spent.set(line.by, [...(this.#spent.get(line.by) ?? []), line.spent as TokenUsage])
    }
  }

  #workedMs(): number {
    return this.#workedBefore + this.#clock.now() - this.#openedAt
  }
}
