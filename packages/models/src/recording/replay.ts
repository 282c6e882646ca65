/** Replays recorded answers, by the content of requests. */
import { count } from '@joust/source'
import type { ReceivedRequest, Responder } from '../http/respond.ts'
import { diagnose } from '../model/diagnostics.ts'
import { type Reply, writeError } from '../wire/write-answer.ts'
import { requestIdentity } from './identity.ts'
import { describeNearest } from './nearest.ts'
import type { RecordedExchange, RecordingScope } from './recording.ts'

/** The replay of a recording for one run. */
export interface Replay {
  readonly answer: Responder
  /** Messages about requests that are not in the recording. */
  missed(): readonly string[]
}

/** Headers that are invalid for a decompressed body. */
const ofBody: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'trailer'])

/**
 * Replays the exchanges of one attack and trial. Equal requests get their answers in recorded order. `redact` must be
 * that of the recording.
 */
export function createReplay(
  recording: readonly RecordedExchange[],
  { attack, trial }: RecordingScope,
  { redact = (text) => text }: { readonly redact?: (text: string) => string } = {},
): Replay {
  const answers = new Map<string, RecordedExchange[]>()
  const ofRun = recording.filter((line) => line.attack === attack && line.trial === trial)
  for (const line of [...ofRun].sort((a, b) => a.sequence - b.sequence)) {
    const identity = requestIdentity({ method: line.method, path: line.path, body: line.request })
    answers.set(identity, [...(answers.get(identity) ?? []), line])
  }
  const uses = new Map<string, number>()
  const missed: string[] = []
  const answer: Responder = async (received) => {
    const { method, path } = received
    const identity = requestIdentity({ method, path, body: redact(received.body) })
    const place = uses.get(identity) ?? 0
    uses.set(identity, place + 1)
    const equal = answers.get(identity) ?? []
    const line = equal[place]
    if (line !== undefined) return replyOf(line)
    const reason =
      equal.length > 0
        ? `it was recorded only ${count(equal.length, 'time')}`
        : describeNearest(identity, answers.keys())
    const message = `${attack}, trial ${trial}: the recording has no answer to ${method} ${path}: ${reason}`
    missed.push(message)
    return refusal(received, message)
  }
  return { answer, missed: () => missed }
}

/** Replays an answer; a broken one breaks again. */
function replyOf({ status, headers, answer, end }: RecordedExchange): Reply {
  const valid = headers.filter(([name = '']) => !ofBody.has(name.toLowerCase()))
  const pairs = valid.map(([name = '', value = '']) => [name, value] as const)
  return { status, headers: pairs, pieces: answer === '' ? [] : [answer], isBroken: end === 'broken' }
}

function refusal({ wire }: ReceivedRequest, message: string): Reply {
  const diagnostics = [diagnose('replay-unknown', message)]
  return writeError(wire, { status: 409, message }, { headers: [], diagnostics })
}
