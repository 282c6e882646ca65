/** The index of a trace block, column by column as messages come. */
import type { TraceEntry } from '@joust/arena'
import type { TraceIndex } from './client/data.ts'
import { labelOf } from './label.ts'
import { traceFlags } from './trace-flags.ts'

/** Takes messages, gives the index. */
interface TraceColumns {
  /** Adds a message; `characters` is how many its content has, when only some of them are kept. */
  add(entry: TraceEntry, characters?: number): void
  /** Adds a line that holds no message. */
  broken(reason: string): void
  /** A message that is left out. */
  skip(): void
  index(): TraceIndex
}

/** No messages yet. */
export function createTraceColumns(): TraceColumns {
  const strings = createNumbering()
  const actors = createNumbering()
  const columns = { seq: [], elapsed: [], actor: [], phase: [], surface: [], label: [], flags: [] } as Columns
  const session: Record<string, string> = {}
  const malformed: Record<string, string> = {}
  const characters: Record<string, number> = {}
  const gaps: Record<string, number> = {}
  let began: string | undefined

  const push = (seq: number, elapsed: number, actor: number, names: readonly string[], flags: number) => {
    const [phase = '', surface = '', label = ''] = names
    columns.seq.push(seq)
    columns.elapsed.push(elapsed)
    columns.actor.push(actor)
    columns.phase.push(strings.of(phase))
    columns.surface.push(strings.of(surface))
    columns.label.push(strings.of(label))
    columns.flags.push(flags)
  }
  return {
    add(entry, whole) {
      const place = columns.seq.length
      began ??= beginning(entry)
      if (entry.session !== undefined) session[place] = entry.session
      if (entry.malformed !== undefined) malformed[place] = entry.malformed
      if (whole !== undefined) characters[place] = whole
      const actor = actors.of(JSON.stringify([entry.actor, entry.mode, entry.protocol]))
      const names = [entry.phase, entry.surface, labelOf(entry.content)]
      push(entry.seq, entry.elapsed_ms, actor, names, flagsOf(entry, whole !== undefined))
    },
    broken(reason) {
      malformed[columns.seq.length] = reason
      push(0, columns.elapsed.at(-1) ?? 0, -1, [], traceFlags.broken)
    },
    skip() {
      const place = columns.seq.length
      gaps[place] = (gaps[place] ?? 0) + 1
    },
    index: () => ({
      strings: strings.all(),
      actors: actors.all().map(readActor),
      ...(began === undefined ? {} : { began }),
      ...columns,
      session,
      malformed,
      characters,
      gaps,
    }),
  }
}

type Columns = Record<'seq' | 'elapsed' | 'actor' | 'phase' | 'surface' | 'label' | 'flags', number[]>

function flagsOf({ flow, direction, malformed }: TraceEntry, cut: boolean): number {
  return (
    (flow === 'out' ? traceFlags.out : 0) |
    (direction === 'response' ? traceFlags.response : 0) |
    (malformed === undefined ? 0 : traceFlags.malformed) |
    (cut ? traceFlags.cut : 0)
  )
}

function beginning({ at, elapsed_ms }: TraceEntry): string | undefined {
  const time = new Date(Date.parse(at) - elapsed_ms)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

function readActor(text: string): TraceIndex['actors'][number] {
  // Written above.
  const [name, mode, protocol] = JSON.parse(text) as [string, string, string]
  return { name, mode, protocol }
}

/** Texts by number: each is kept once. */
function createNumbering(): { of(text: string): number; all(): string[] } {
  const numbers = new Map<string, number>()
  return {
    of(text) {
      const known = numbers.get(text)
      if (known !== undefined) return known
      numbers.set(text, numbers.size)
      return numbers.size - 1
    },
    all: () => [...numbers.keys()],
  }
}
