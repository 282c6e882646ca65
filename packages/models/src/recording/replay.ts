/** Replays recorded answers, by the content of requests. */
import { onAbort } from '@joust/io'
import { count } from '@joust/source'
import type { ReceivedRequest, Responder } from '../http/respond.ts'
import { diagnose } from '../model/diagnostics.ts'
import { type Reply, writeError } from '../wire/write-answer.ts'
import { requestIdentity, withValuesOf } from './identity.ts'
import { describeNearest } from './nearest.ts'
import type { RecordedExchange, Redact } from './recording.ts'

/** The replay of a recording. */
export interface Replay {
  readonly answer: Responder
  /** Messages about requests that are not in the recording. */
  missed(): readonly string[]
}

/** Headers that are invalid for a decompressed body. */
const ofBody: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'trailer'])

/** Replays exchanges. Equal requests get their answers in recorded order. `redact` must be that of the recording. */
export function createReplay(
  exchanges: readonly RecordedExchange[],
  { redact = (text) => text }: { readonly redact?: Redact } = {},
): Replay {
  const answers = new Map<string, RecordedAnswer[]>()
  for (const line of [...exchanges].sort((a, b) => a.sequence - b.sequence)) {
    const { text, values } = requestIdentity({ method: line.method, path: line.path, body: line.request })
    const equal = answers.get(text)
    if (equal === undefined) answers.set(text, [{ line, values }])
    else equal.push({ line, values })
  }
  const uses = new Map<string, number>()
  const missed: string[] = []
  const answer: Responder = async (received) => {
    const { method, path } = received
    const { text, values } = requestIdentity({ method, path: redact(path), body: redact(received.body) })
    const place = uses.get(text) ?? 0
    uses.set(text, place + 1)
    const equal = answers.get(text) ?? []
    const recorded = equal[place]
    if (recorded?.line.end === 'left') return pending(received)
    if (recorded !== undefined) return replyOf(recorded, values)
    const reason =
      equal.length > 0 ? `it was recorded only ${count(equal.length, 'time')}` : describeNearest(text, answers.keys())
    const message = `the recording has no answer to ${method} ${redact(path)}: ${reason}`
    missed.push(message)
    return refusal(received, message)
  }
  return { answer, missed: () => missed }
}

/** Waits until the agent disconnects, as it did in the recording. */
async function pending({ signal, wire }: ReceivedRequest): Promise<Reply> {
  await new Promise<void>((left) => (signal.aborted ? left() : onAbort(signal, left)))
  return writeError(wire, { status: 499, message: 'the agent disconnected' }, { headers: [] })
}

interface RecordedAnswer extends Pick<ReturnType<typeof requestIdentity>, 'values'> {
  readonly line: RecordedExchange
}

/** Replays an answer, with the addresses and folders of this run; a broken one breaks again. */
function replyOf({ line, values: recorded }: RecordedAnswer, values: RecordedAnswer['values']): Reply {
  const { status, headers, end } = line
  const answer = withValuesOf(line.answer, recorded, values)
  const valid = headers.filter(([name = '']) => !ofBody.has(name.toLowerCase()))
  const pairs = valid.map(([name = '', value = '']) => [name, value] as const)
  return { status, headers: pairs, pieces: answer === '' ? [] : [answer], isBroken: end === 'broken' }
}

/** Clients retry requests that are rejected with 409, 429 or 5xx. */
function refusal({ wire }: ReceivedRequest, message: string): Reply {
  const diagnostics = [diagnose('replay-unknown', message)]
  return writeError(wire, { status: 404, message }, { headers: [], diagnostics })
}
