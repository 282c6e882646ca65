/** Replays recorded answers, selected by request content. */
import { onAbort } from '@joust/io'
import { count, excerpt } from '@joust/source'
import type { ReceivedRequest, Responder } from '../http/respond.ts'
import { diagnose } from '../model/diagnostics.ts'
import { type Reply, writeError } from '../wire/write-answer.ts'
import { requestIdentity, withValuesOf } from './identity.ts'
import type { RecordedExchange, Redact } from './recording.ts'

export interface Replay {
  readonly answer: Responder
  /** Returns messages about requests that the recording does not contain. */
  missed(): readonly string[]
}

/** Headers that do not apply to a decompressed body. */
const encodingHeaders: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'trailer'])

interface ReplayOptions {
  /** Must be the function that was used for the recording. @default nothing is redacted */
  readonly redact?: Redact
}

/**
 * Replays exchanges. Equal requests get the recorded answers in order.
 *
 * @example
 * const { answer } = createReplay(readRecording('recordings/mine.jsonl').exchanges)
 */
export function createReplay(
  exchanges: readonly RecordedExchange[],
  { redact = (text) => text }: ReplayOptions = {},
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
      equal.length > 0
        ? `the request was recorded only ${count(equal.length, 'time')}`
        : describeNearest(text, answers.keys())
    const message = `the recording has no answer to ${method} ${redact(path)}: ${reason}`
    missed.push(message)
    return refusal(received, message)
  }
  return { answer, missed: () => missed }
}

/** Waits until the agent disconnects, as in the recording. */
async function pending({ signal, wire }: ReceivedRequest): Promise<Reply> {
  await new Promise<void>((left) => (signal.aborted ? left() : onAbort(signal, left)))
  return writeError(wire, { status: 499, message: 'the agent disconnected' }, { headers: [] })
}

interface RecordedAnswer extends Pick<ReturnType<typeof requestIdentity>, 'values'> {
  readonly line: RecordedExchange
}

/** Replays an answer with the addresses and folders of this run. A broken connection is broken again. */
function replyOf({ line, values: recorded }: RecordedAnswer, values: RecordedAnswer['values']): Reply {
  const { status, headers, end } = line
  const answer = withValuesOf(line.answer, recorded, values)
  const valid = headers.filter(([name = '']) => !encodingHeaders.has(name.toLowerCase()))
  const pairs = valid.map(([name = '', value = '']) => [name, value] as const)
  return { status, headers: pairs, pieces: answer === '' ? [] : [answer], isBroken: end === 'broken' }
}

/** Creates the error response. The status is 404, because clients retry 409, 429 and 5xx. */
function refusal({ wire }: ReceivedRequest, message: string): Reply {
  const diagnostics = [diagnose('replay-unknown', message)]
  return writeError(wire, { status: 404, message }, { headers: [], diagnostics })
}

/** Number of characters shown before and after the first difference. */
const BEFORE = 30
const AFTER = 60

/** Describes the most similar identity, by the length of the common prefix and suffix. */
function describeNearest(identity: string, recorded: Iterable<string>): string {
  let nearest: string | undefined
  let most = -1
  for (const candidate of recorded) {
    const shared = sharedStart(identity, candidate) + sharedEnd(identity, candidate)
    if (shared <= most) continue
    nearest = candidate
    most = shared
  }
  if (nearest === undefined) return 'the recording contains no requests'
  const at = sharedStart(identity, nearest)
  return `the nearest recorded request has ${around(nearest, at)} where this one has ${around(identity, at)}`
}

function around(text: string, at: number): string {
  return JSON.stringify(excerpt(text, Math.max(0, at - BEFORE), at + AFTER))
}

function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}

function sharedEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length += 1
  return length
}
