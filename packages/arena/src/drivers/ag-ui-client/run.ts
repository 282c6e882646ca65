/** One run of an agent: the input goes out, every event of its stream is reported as it comes. */
import { within } from '@joust/io'
import { beginning, messageOf, ownList, ownText, type Value, type ValueRecord, writeJson } from '@joust/source'
import { createEventStream, type Told } from '../../ag-ui/stream.ts'
import { ArenaError } from '../../model/errors.ts'
import { type HttpAnswer, isSuccess } from '../../model/http.ts'
import { arenaLimits } from '../../model/limits.ts'
import type { HttpClientEnd } from '../../model/wiring.ts'
import type { DriverContext, Message, Scene } from '../driver.ts'
import { type BodyText, readBody, recordMalformed } from '../http-body.ts'
import { settled, tryAgain } from '../try-again.ts'
import { reportTurnedAway } from '../turned-away.ts'
import { type EventText, readEvent, readTexts } from './body.ts'
import { sessionOf, type ToolResult } from './input.ts'
import { createTranscript, type Transcript } from './transcript.ts'

/** How a run ended: as the protocol demands, without an ending event, with the agent's error, with a broken stream. */
type RunEnding = 'finished' | 'unfinished' | 'failed' | 'lost'

/** A run that is over. */
export interface FinishedRun {
  readonly ending: RunEnding
  readonly transcript: Transcript
}

/** What begins a run: the input, and the results of the client that it carries. */
export interface Submission {
  readonly input: Value
  readonly results: readonly ToolResult[]
}

/** The agent at the other end; `over` fires when nothing may be reported any more. */
export interface Peer {
  readonly context: DriverContext
  readonly end: HttpClientEnd
  readonly over: AbortSignal
}

/** Posts an input and reads the stream to its end. Rejects with an `ArenaError` when the agent does not accept it. */
export async function runAgent(peer: Peer, submission: Submission, scene: Scene): Promise<FinishedRun> {
  const { input } = submission
  const reading = { ...peer, call: new AbortController(), session: sessionOf(input) }
  const { sent, held } = announce(peer.context, submission, scene)
  const answer = await settled(held, post(reading, writeJson(input), sent))
  if (!isSuccess(answer.status)) throw await refusal(reading, answer)
  return readStream(reading, answer, input)
}

/** One POST, repeated while nobody listens or the agent is busy. `sent` is called once, with the first attempt. */
function post({ context, end, call, over }: Reading, body: string, sent: () => void): Promise<HttpAnswer> {
  const { clock, limits, stage } = context
  const signal = AbortSignal.any([over, call.signal])
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...end.headers }
  const send = async () => {
    const answer = end.send({ method: 'POST', url: end.url, headers, body, signal })
    const head = await within<HttpAnswer | undefined>(clock, limits.replyMs, answer, signal, () => undefined)
    if (head !== undefined) return head
    const late = new ArenaError('timed_out', `no answer from ${end.url} within ${limits.replyMs} ms`)
    if (!signal.aborted) stage.report('reply-missing', late.message)
    call.abort()
    throw late
  }
  const answer = tryAgain({ ...context, report: stage.report }, signal, send)
  sent()
  return answer
}

/** Records what is sent; `sent` makes triggers count it: both are events of the client itself (§7.3.2). */
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

/** A run under way; `call` ends its request, body included. */
interface Reading extends Peer {
  readonly call: AbortController
  readonly session: Pick<Message, 'session'>
}

async function readStream(reading: Reading, answer: HttpAnswer, input: Value): Promise<FinishedRun> {
  const { context, over } = reading
  const transcript = createTranscript(ownList(input, 'messages'), context.newId)
  const listener = createListener(reading, input, transcript)
  let ending: RunEnding = 'unfinished'
  const texts = readTexts(answer, context.limits.messageBytes)
  try {
    for (;;) {
      const text = await nextText(reading, texts, ending)
      if (text === undefined || over.aborted) break
      const read = readEvent(text, context.limits.messageBytes)
      if (read.kind === 'malformed') {
        tellMalformed(reading, '', read.text, read.reason)
        continue
      }
      const { name, event } = read
      if (read.untyped)
        context.stage.report('event-untyped', `${name} has no type but the name that its stream gives it`)
      ending = endingAfter(name, ending)
      if (name === 'run_error') context.stage.report('agent-failed', failureText(event))
      await listener.hear(event)
    }
    await listener.end()
  } catch (thrown) {
    await listener.end()
    // Once the run is over there is nothing to lose.
    if (ending !== 'unfinished') return { ending, transcript }
    if (!over.aborted) context.stage.report('connection-lost', `the stream broke off: ${messageOf(thrown)}`)
    return { ending: 'lost', transcript }
  }
  if (ending === 'unfinished' && !over.aborted) {
    context.stage.report('connection-lost', 'the stream ended before RUN_FINISHED or RUN_ERROR')
  }
  return { ending, transcript }
}

/** Hands the events of a stream, and what they stand for, to the stage and the transcript. */
function createListener({ context: { stage }, session, over }: Reading, input: Value, transcript: Transcript) {
  const stream = createEventStream(input)
  const tell = async (told: readonly Told[]) => {
    for (const { name, content, args, derived, counts } of told) {
      if (derived && over.aborted) continue
      const isCounted = stage.strict ? !derived : counts
      const how = { ...(derived ? { derived } : {}), ...(isCounted ? {} : { counts: false }) }
      const beside = args === undefined ? {} : { arguments: args }
      const message = { direction: 'response', surface: name, content, ...beside, ...session, ...how } as const
      await stage.receive(message, async (scene) => {
        if (counts) transcript.take(name, content, scene)
      })
    }
  }
  return {
    hear: (event: ValueRecord) => tell(stream.hear(event)),
    end: () => tell(stream.end()),
  }
}

function endingAfter(name: string, ending: RunEnding): RunEnding {
  if (name === 'run_finished') return 'finished'
  if (name === 'run_error') return 'failed'
  return name === 'run_started' ? 'unfinished' : ending
}

/** What the agent says about its failure: an agent that cannot work has resisted nothing. */
function failureText(event: ValueRecord): string {
  const said = [ownText(event, 'code'), ownText(event, 'message')].filter((part) => part !== undefined && part !== '')
  return `the agent ended its run with an error: ${beginning(said.join(': '), arenaLimits.peerText) || 'it does not say why'}`
}

/** A run may take as long as it likes, but a stream that stays open after its run has nothing more to wait for. */
async function nextText(
  { context, call, over }: Reading,
  texts: AsyncIterator<EventText, void>,
  ending: RunEnding,
): Promise<EventText | undefined> {
  const next = texts.next().then((step) => (step.done === true ? undefined : step.value))
  if (ending === 'unfinished') return next
  const late = () => {
    if (!over.aborted) {
      context.stage.report(
        'phase-stalled',
        `the run is over, but the agent kept its stream open; closed after ${context.limits.replyMs} ms`,
      )
    }
    call.abort()
    return undefined
  }
  return within(context.clock, context.limits.replyMs, next, over, late)
}

/** The error of an agent that does not accept an input: it never took part in the attack. */
async function refusal(reading: Reading, { status, body }: HttpAnswer): Promise<ArenaError> {
  const { context, end, over } = reading
  const { clock, limits } = context
  const late = (): BodyText => ({ text: '' })
  const { text } = await within(clock, limits.replyMs, readBody(body, limits.messageBytes), over, late)
  const what = `${end.url} answered with HTTP ${status}`
  if (!over.aborted) reportTurnedAway(context.stage.report, '', status, text)
  if (!over.aborted) tellMalformed(reading, 'run_agent_input', text, what)
  return new ArenaError('connection_lost', text === '' ? what : `${what}: ${beginning(text, 200)}`)
}

function tellMalformed({ context, session }: Reading, surface: string, text: string, reason: string): void {
  const told = `a message of the agent: ${reason}`
  recordMalformed(context.stage, { direction: 'response', surface, ...session }, text, reason, told)
}
