/** Runs an agent once: posts the input and reads the event stream. */

import { within } from '@joust/io'
import { beginning, messageOf, own, ownList, ownText, type Value, type ValueRecord, writeJson } from '@joust/source'
import { createEventStream, type ReportedEvent } from '../../ag-ui/stream.ts'
import { ArenaError, codeOfStatus } from '../../model/errors.ts'
import { type HttpAnswer, isSuccess } from '../../model/http.ts'
import { peerError } from '../../model/peer-error.ts'
import type { HttpClientEnd } from '../../model/wiring.ts'
import type { DriverContext, Message, Scene } from '../driver.ts'
import { type BodyText, readBody, recordMalformed } from '../http-body.ts'
import { reportRejection } from '../rejections.ts'
import { settled, withRetries } from '../retries.ts'
import { type WrittenHeaders, withWritten, writtenHeaders } from '../written-headers.ts'
import { type EventText, readEvent, readTexts } from './body.ts'
import { sessionOf, type ToolResult } from './input.ts'
import { createTranscript, type Transcript } from './transcript.ts'

/** `unfinished`: the stream ended with neither `RUN_FINISHED` nor `RUN_ERROR`. `lost`: lost connection. */
type RunEnding = 'finished' | 'unfinished' | 'failed' | 'lost'

export interface FinishedRun {
  readonly ending: RunEnding
  readonly transcript: Transcript
}

/** `results` are the tool results in the input. */
export interface Submission {
  readonly input: Value
  readonly results: readonly ToolResult[]
  readonly headers?: Value | undefined
}

/** `over` fires at the end of the attack. */
export interface Peer {
  readonly context: DriverContext
  readonly end: HttpClientEnd
  readonly over: AbortSignal
}

/** Reads the stream to its end. Rejects with an `ArenaError` if the agent rejects the input. */
export async function runAgent(peer: Peer, submission: Submission, scene: Scene): Promise<FinishedRun> {
  const { input } = submission
  const reading = { ...peer, call: new AbortController(), session: sessionOf(input) }
  const { sent, held } = announce(peer.context, submission, scene)
  const headers = writtenHeaders(peer.context.stage, scene, submission.headers)
  const answer = await settled(held, post(reading, writeJson(input), headers, sent))
  if (!isSuccess(answer.status)) throw await refusal(reading, answer)
  return readStream(reading, answer, input)
}

/** Retries while the connection is refused or the agent is busy. `sent` is called once, on the first attempt. */
function post(
  { context, end, call, over }: Reading,
  body: string,
  written: WrittenHeaders,
  sent: () => void,
): Promise<HttpAnswer> {
  const { clock, limits, stage } = context
  const signal = AbortSignal.any([over, call.signal])
  const standard = { 'content-type': 'application/json', accept: 'text/event-stream', ...end.headers }
  const headers = withWritten(standard, written)
  const send = async () => {
    const answer = end.send({ method: 'POST', url: end.url, headers, body, signal })
    const head = await within<HttpAnswer | undefined>(clock, limits.replyMs, answer, signal, () => undefined)
    if (head !== undefined) return head
    const late = new ArenaError('timed_out', `no response from ${end.url} within ${limits.replyMs} ms`)
    if (!signal.aborted) stage.report('reply-missing', late.message)
    call.abort()
    throw late
  }
  const answer = withRetries({ ...context, report: stage.report }, signal, send)
  sent()
  return answer
}

/** `sent` makes triggers count the messages ([OATF §7.3.2](https://oatf.io/specification/protocol-bindings/ag-ui/)). */
function announce({ stage }: DriverContext, { input, results }: Submission, scene: Scene) {
  const messages = [
    ...results.map(({ result }) => ({ surface: 'tool_call_result', content: result })),
    { surface: 'run_agent_input', content: input },
  ]
  const held = messages.map((message) =>
    stage.send(scene, { direction: 'request', flow: 'out', ...message, ...sessionOf(input) }),
  )
  const sent = () => {
    for (const { surface, content } of messages) stage.count(scene, surface, content)
  }
  return { sent, held }
}

interface Reading extends Peer {
  readonly call: AbortController
  readonly session: Pick<Message, 'session'>
}

async function readStream(reading: Reading, answer: HttpAnswer, input: Value): Promise<FinishedRun> {
  const { context, over } = reading
  const transcript = createTranscript(ownList(input, 'messages'), context.newId)
  const listener = createListener(reading, input, transcript, answer.headers)
  let ending: RunEnding = 'unfinished'
  const texts = readTexts(answer, context.limits.messageBytes)
  try {
    for (;;) {
      const text = await nextText(reading, texts, ending)
      if (text === undefined || over.aborted) break
      const read = readEvent(text, context.limits.messageBytes)
      if (read.kind === 'malformed') {
        reportMalformed(reading, '', read.text, read.reason)
        continue
      }
      const { name, event } = read
      if (read.untyped)
        context.stage.report('event-untyped', `${name} has no type; the event name in the stream was used`)
      ending = endingAfter(name, ending)
      if (name === 'run_error') context.stage.report('agent-failed', failureText(event))
      if (name === 'run_finished' && own(own(event, 'outcome'), 'type') === 'cancelled')
        context.stage.report('agent-failed', 'the agent cancelled its run')
      await listener.hear(event)
    }
    await listener.end()
  } catch (thrown) {
    await listener.end()
    // After the end of the run, a lost connection does not matter.
    if (ending !== 'unfinished') return { ending, transcript }
    if (!over.aborted) context.stage.report('connection-lost', `the stream was cut off: ${messageOf(thrown)}`)
    return { ending: 'lost', transcript }
  }
  if (ending === 'unfinished' && !over.aborted)
    context.stage.report('connection-lost', 'the stream ended before RUN_FINISHED or RUN_ERROR')
  return { ending, transcript }
}

function createListener(
  { context: { stage }, session, over }: Reading,
  input: Value,
  transcript: Transcript,
  headers: HttpAnswer['headers'],
) {
  const stream = createEventStream(input)
  const pass = async (events: readonly ReportedEvent[]) => {
    for (const { name, content, args, derived, counts } of events) {
      if (derived && over.aborted) continue
      const isCounted = stage.strict ? !derived : counts
      const how = { ...(derived ? { derived } : {}), ...(isCounted ? {} : { counts: false }) }
      const beside = args === undefined ? {} : { arguments: args }
      const message = { direction: 'response', surface: name, content, headers, ...beside, ...session, ...how } as const
      await stage.receive(message, async (scene) => {
        if (counts) transcript.take(name, content, scene)
      })
    }
  }
  return {
    hear: (event: ValueRecord) => pass(stream.hear(event)),
    end: () => pass(stream.end()),
  }
}

function endingAfter(name: string, ending: RunEnding): RunEnding {
  if (name === 'run_finished') return 'finished'
  if (name === 'run_error') return 'failed'
  return name === 'run_started' ? 'unfinished' : ending
}

function failureText(event: ValueRecord): string {
  const parts = [ownText(event, 'code'), ownText(event, 'message')].filter((part) => part !== undefined && part !== '')
  return `the agent ended its run with an error: ${peerError(parts.join(': ')) || 'no message'}`
}

/** A run has no time limit, but its stream must end within the reply timeout once the run is over. */
async function nextText(
  { context, call, over }: Reading,
  texts: AsyncIterator<EventText, void>,
  ending: RunEnding,
): Promise<EventText | undefined> {
  const next = texts.next().then((step) => (step.done === true ? undefined : step.value))
  if (ending === 'unfinished') return next
  const { stage, clock, limits } = context
  const late = () => {
    const reason = `the agent kept its stream open after the run; closed after ${limits.replyMs} ms`
    if (!over.aborted) stage.report('phase-stalled', reason)
    call.abort()
    return undefined
  }
  return within(clock, limits.replyMs, next, over, late)
}

async function refusal(reading: Reading, { status, body }: HttpAnswer): Promise<ArenaError> {
  const { context, end, over } = reading
  const { clock, limits } = context
  const late = (): BodyText => ({ text: '' })
  const { text } = await within(clock, limits.replyMs, readBody(body, limits.messageBytes), over, late)
  const what = `${end.url} answered with HTTP ${status}`
  if (!over.aborted) reportRejection(context.stage.report, '', status, text)
  if (!over.aborted) reportMalformed(reading, 'run_agent_input', text, what)
  return new ArenaError(codeOfStatus(status), text === '' ? what : `${what}: ${beginning(text, 200)}`)
}

function reportMalformed({ context, session }: Reading, surface: string, text: string, reason: string): void {
  const message = `malformed message from the agent: ${reason}`
  recordMalformed(context.stage, { direction: 'response', surface, ...session }, text, reason, message)
}
