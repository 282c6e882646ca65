/** The reading side of a cassette. */
import { isRecord, own, type Value } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import { callIdentity, toPlain } from './identity.ts'
import { describeNearest } from './nearest.ts'
import type { CallKind, RecordedModel, Recording } from './recording.ts'
import type { Redact } from './tape.ts'

/** The recordings of a cassette. */
export interface Replay {
  /** The next recording of a call. Throws an `ArenaError` that shows the nearest one when it is missing. */
  take(kind: CallKind, request: unknown): Recording
  model(name: string): RecordedModel | undefined
  /** Messages about calls that were not recorded. */
  missed(): readonly string[]
}

/** Creates the replay from the lines of a cassette. */
export function createReplay(lines: readonly unknown[], redact: Redact): Replay {
  const models = new Map<string, RecordedModel>()
  const recordings = new Map<string, Recording[]>()
  for (const line of lines) {
    if (isModel(line)) models.set(line.name, line)
    else if (isRecording(line)) {
      const identity = callIdentity(line.kind, line.request as Value)
      recordings.set(identity, [...(recordings.get(identity) ?? []), line])
    }
  }
  for (const list of recordings.values()) list.sort((a, b) => a.nth - b.nth)
  const counts = new Map<string, number>()
  const missed: string[] = []
  return {
    take(kind, request) {
      const plain = redact(toPlain(request))
      const identity = callIdentity(kind, plain)
      const count = counts.get(identity) ?? 0
      counts.set(identity, count + 1)
      const matches = recordings.get(identity) ?? []
      const recording = matches[count]
      if (recording !== undefined) return recording
      const message =
        matches.length > 0
          ? `this ${nouns[kind]} was repeated, but recorded only ${matches.length === 1 ? 'once' : `${matches.length} times`}`
          : `this ${nouns[kind]} was not recorded; ${describeNearest(kind, plain, [...recordings.values()].flat())}`
      missed.push(message)
      throw new ArenaError('recording_missing', message)
    },
    model: (name) => models.get(name),
    missed: () => missed,
  }
}

const nouns: Readonly<Record<CallKind, string>> = {
  generate: 'model call',
  stream: 'streamed model call',
  http: 'request',
}

function isModel(line: unknown): line is RecordedModel {
  return isRecord(line) && own(line, 'kind') === 'model' && typeof own(line, 'name') === 'string'
}

function isRecording(line: unknown): line is Recording {
  if (!isRecord(line)) return false
  const kind = own(line, 'kind')
  return typeof kind === 'string' && Object.hasOwn(nouns, kind) && own(line, 'end') !== undefined
}
