/** One run of an agent: the input goes out, every event of its stream is reported as it comes. */
import { within } from '@joust/io'
import {
  beginning,
  compactJson,
  defaultLimits,
  isRecord,
  own,
  readJson,
  type Value,
  type ValueRecord,
  writeJson,
} from '@joust/source'
import { eventName, historyOf, textOf } from '../../ag-ui/events.ts'
import { createEventStream, type Told } from '../../ag-ui/stream.ts'
import { ArenaError, messageOf } from '../../model/errors.ts'
import type { HttpAnswer } from '../../model/http.ts'
import { bounds } from '../../model/limits.ts'
import type { DriverContext, Message, Scene } from '../driver.ts'
import { type BodyText, readBody } from '../read-body.ts'
import { recordMalformed } from '../reply.ts'
import { settled } from '../try-again.ts'
import { reportTurnedAway } from '../turned-away.ts'
import { type EventText, readTexts } from './body.ts'
import { sessionOf, type ToolResult } from './input.ts'
import { type HttpEnd, post } from './post.ts'
import { createTranscript, type Transcript } from './transcript.ts'

/** How a run ended: as the protocol demands, without an ending event, with an error of the agent, or because the stream broke. */
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

/** What runs need; `over` fires when nothing may be reported any more. */
export interface Peer {
  readonly context: DriverContext
  readonly end: HttpEnd
  readonly over: AbortSignal
}

/** Posts an input and reads the stream to its end. Rejects with an `ArenaError` when the agent does not accept it. */
export async function runAgent(options: Peer, submission: Submission, scene: Scene): Promise<FinishedRun> {
  const { context, end, over } = options
  const { input } = submission
  const call = new AbortController()
  const stop = () => call.abort()
  over.addEventListener('abort', stop)
  if (over.aborted) stop()
  try {
    const session = sessionOf(input)
    const { sent, held } = announce(context, submission, scene)
    const answer = await settled(held, post({ context, end, call }, writeJson(input), sent))
    if (answer.status < 200 || answer.status > 299) throw await refusal(options, answer, session)
    return await readStream({ ...options, call, session }, answer, input)
  } finally {
    over.removeEventListener('abort', stop)
  }
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

interface Reading extends Peer {
  readonly call: AbortController
  readonly session: Pick<Message, 'session'>
}

async function readStream(reading: Reading, answer: HttpAnswer, input: Value): Promise<FinishedRun> {
  const { context, over } = reading
  const transcript = createTranscript(historyOf(input), context.newId)
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
    for (const { name, content, derived, counts } of told) {
      if (derived && over.aborted) continue
      const how = { ...(derived ? { derived } : {}), ...(counts ? {} : { counts }) }
      const message = { direction: 'response', surface: name, content, ...session, ...how } as const
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
  const said = [textOf(event, 'code'), textOf(event, 'message')].filter((part) => part !== undefined && part !== '')
  return `the agent ended its run with an error: ${beginning(said.join(': '), bounds.peerText) || 'it does not say why'}`
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
async function refusal(
  options: Peer,
  { status, body }: HttpAnswer,
  session: Pick<Message, 'session'>,
): Promise<ArenaError> {
  const { context, end, over } = options
  const { clock, limits } = context
  const late = (): BodyText => ({ text: '' })
  const { text } = await within(clock, limits.replyMs, readBody(body, limits.messageBytes), over, late)
  const what = `${end.url} answered with HTTP ${status}`
  if (!over.aborted) reportTurnedAway(context.stage.report, '', status, text)
  if (!over.aborted) tellMalformed({ ...options, session }, 'run_agent_input', text, what)
  return new ArenaError('connection_lost', text === '' ? what : `${what}: ${beginning(text, 200)}`)
}

function tellMalformed(
  { context: { stage }, session }: Omit<Reading, 'call'>,
  surface: string,
  text: string,
  malformed: string,
): void {
  recordMalformed(
    stage,
    { direction: 'response', surface, ...session },
    text,
    malformed,
    `a message of the agent: ${malformed}`,
  )
}

/** An event, or a text that is not one. */
type ReadEvent =
  | { readonly kind: 'event'; readonly name: string; readonly event: ValueRecord; readonly untyped?: true }
  | { readonly kind: 'malformed'; readonly text: string; readonly reason: string }

/** Shorter texts cannot be nested too deeply. */
const SHORT = 2 * defaultLimits.compactJsonDepth

/** Reads the text of an event. Types that nobody has heard of are events like any other. */
export function readEvent({ text, fault, named }: EventText, maxBytes: number): ReadEvent {
  const malformed = (reason: string): ReadEvent => ({ kind: 'malformed', text, reason })
  if (fault !== undefined) return malformed(fault)
  const json = readJson(text, { ...defaultLimits, yamlBytes: maxBytes })
  if (!json.ok) return malformed(json.error[0]?.message ?? 'not JSON')
  if (!isRecord(json.value)) return malformed('not an AG-UI event: it is not an object')
  // Some servers name their events in the stream instead; `message` is the default name of any event.
  const untyped = own(json.value, 'type') === undefined && named !== undefined && named !== 'message'
  const event = untyped ? { type: named, ...json.value } : json.value
  const type = own(event, 'type')
  if (typeof type !== 'string' || type === '') return malformed('not an AG-UI event: it has no type')
  if (text.length > SHORT && !compactJson(event, 'document').ok) return malformed('an AG-UI event nested too deeply')
  return { kind: 'event', name: eventName(type), event, ...(untyped ? { untyped } : {}) }
}
