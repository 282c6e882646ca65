/** The writing side of a cassette: what is asked and what comes back, as one line at the end. `replay.ts` reads it. */
import type { Value } from '@joust/source'
import type { LineFile } from './file.ts'
import { callIdentity, toPlain } from './identity.ts'
import type { CallKind, RecordedEnd, RecordedModel, Recording } from './recording.ts'

/** Hides what must not be written. */
export type Redact = (value: Value) => Value

/** Puts the parts of a call together where a secret may cross their boundaries, and hides it there. */
export type Join = (parts: readonly Value[], redact: Redact, secrets: readonly string[]) => readonly Value[]

/** A call that is under way. */
export interface Take {
  head(value: unknown): void
  part(value: unknown): void
  /** Writes the line; only the first call counts. Throws an `ArenaError` when it cannot. */
  end(end: RecordedEnd): void
}

/** Calls as they are made. */
export interface Tape {
  /** Without `join` each part is redacted alone. */
  begin(kind: CallKind, request: unknown, join?: Join): Take
  /** Notes a model, once. */
  model(model: Omit<RecordedModel, 'kind'>): void
  /** Writes what has not ended yet as `open`. */
  close(): void
}

/** Writes to a file. `secrets` are texts that `redact` hides, for streams that spell one out in pieces. */
export function createTape(file: LineFile, redact: Redact, secrets: readonly string[] = []): Tape {
  const counts = new Map<string, number>()
  const models = new Set<string>()
  const open = new Set<Take>()
  let closed = false
  const write = (line: unknown) => {
    // What an agent does after its run is over is not part of it.
    if (!closed) file.write(JSON.stringify(line))
  }
  return {
    begin(kind, request, join = (parts) => parts.map(redact)) {
      // Requests are redacted first, so that a replay finds them whether or not they already were.
      const asked = redact(toPlain(request))
      const identity = callIdentity(kind, asked)
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
          const heard = parts.length === 0 ? {} : { parts: join(parts, redact, secrets) }
          const ended = typeof end === 'string' ? end : { ...end, message: String(redact(end.message)) }
          write({ kind, nth, request: asked, ...head, ...heard, end: ended } satisfies Recording)
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
