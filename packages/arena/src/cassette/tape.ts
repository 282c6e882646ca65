/** The writing side of a cassette: one line per call, written at its end. */
import type { Value } from '@joust/source'
import type { LineFile } from './file.ts'
import { callIdentity, toPlain } from './identity.ts'
import type { CallKind, RecordedEnd, RecordedModel, Recording } from './recording.ts'

/** Redacts secrets. */
export type Redact = (value: Value) => Value

/** Redacts secrets that cross the boundaries of the parts of a call. */
export type Join = (parts: readonly Value[], redact: Redact, secrets: readonly string[]) => readonly Value[]

/** A pending call. */
export interface Take {
  head(value: unknown): void
  part(value: unknown): void
  /** Writes the line; later calls are ignored. Throws an `ArenaError` on failure. */
  end(end: RecordedEnd): void
}

/** Records calls. */
export interface Tape {
  /** Without `join` each part is redacted alone. */
  begin(kind: CallKind, request: unknown, join?: Join): Take
  /** Records a model, once. */
  model(model: Omit<RecordedModel, 'kind'>): void
  /** Writes pending calls as `open`. */
  close(): void
}

/** Creates a tape for a file. `secrets` are the texts that `redact` hides, for streams that split them. */
export function createTape(file: LineFile, redact: Redact, secrets: readonly string[] = []): Tape {
  const counts = new Map<string, number>()
  const models = new Set<string>()
  const open = new Set<Take>()
  let closed = false
  const write = (line: unknown) => {
    // Calls after the end of the run are not recorded.
    if (!closed) file.write(JSON.stringify(line))
  }
  return {
    begin(kind, request, join = (parts) => parts.map(redact)) {
      // Redacted first, so that a replay finds the request in any case.
      const plain = redact(toPlain(request))
      const identity = callIdentity(kind, plain)
      const nth = (counts.get(identity) ?? 0) + 1
      counts.set(identity, nth)
      let head: { readonly head?: Value } = {}
      const parts: Value[] = []
      const take: Take = {
        head(value) {
          head = { head: redact(toPlain(value)) }
        },
        part: (value) => void parts.push(toPlain(value)),
        end(end) {
          if (!open.delete(take)) return
          const body = parts.length === 0 ? {} : { parts: join(parts, redact, secrets) }
          const redactedEnd = typeof end === 'string' ? end : { ...end, message: String(redact(end.message)) }
          write({ kind, nth, request: plain, ...head, ...body, end: redactedEnd } satisfies Recording)
        },
      }
      open.add(take)
      return take
    },
    model(model) {
      if (models.has(model.name)) return
      models.add(model.name)
      write({ kind: 'model', ...model } satisfies RecordedModel)
    },
    close() {
      if (closed) return
      try {
        for (const take of [...open]) take.end('open')
      } finally {
        closed = true
        file.close()
      }
    },
  }
}
