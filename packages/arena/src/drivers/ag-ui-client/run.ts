/** One run of an agent: the input goes out, every event of its stream is told as it comes. */
import { type Value, type ValueRecord, writeJson } from '@joust/source'
import { within } from '../../model/clock.ts'
import { ArenaError, messageOf } from '../../model/errors.ts'
import type { HttpAnswer } from '../../model/http.ts'
import type { DriverContext, Message, Scene } from '../driver.ts'
import { type BodyText, readBody } from '../read-body.ts'
import { turnedAway } from '../turned-away.ts'
import { type EventText, readTexts } from './body.ts'
import { createEnrichment, readEvent, textOf } from './events.ts'
import { historyOf, sessionOf } from './input.ts'
import { type HttpEnd, post } from './post.ts'
import type { ToolResult } from './tool-calls.ts'
import { createTranscript, type Transcript } from './transcript.ts'

/** How much of a failure is shown. */
const LONGEST_TEXT = 500

/** How a run ended: as the protocol has it, without a word, with an error of the agent, or because the stream broke. */
export type RunEnding = 'finished' | 'unfinished' | 'failed' | 'lost'

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

/** What runs need; `over` fires when nothing may be told any more. */
export interface RunOptions {
  readonly context: DriverContext
  readonly end: HttpEnd
  readonly over: AbortSignal
}

/** Posts an input and reads the stream to its end. Rejects with an `ArenaError` when the agent does not take it. */
export async function runAgent(options: RunOptions, submission: Submission, scene: Scene): Promise<FinishedRun> {
  const { context, end, over } = options
  const { input } = submission
  const call = new AbortController()
  const stop = () => call.abort()
  over.addEventListener('abort', stop)
  if (over.aborted) stop()
  try {
    const session = sessionOf(input)
    const sent = announce(context, submission, scene)
    const answer = await post({ context, end, call }, writeJson(input), sent)
    if (answer.status < 200 || answer.status > 299) throw await refusal(options, answer, session)
    return await readStream({ ...options, call, session }, answer, input)
  } finally {
    over.removeEventListener('abort', stop)
  }
}

/** Records what goes out; the result has triggers count it: both are events of the client itself (§7.3.2). */
function announce({ stage }: DriverContext, { input, results }: Submission, scene: Scene): () => void {
  const messages = [
    ...results.map(({ result }) => ({ surface: 'tool_call_result', content: result })),
    { surface: 'run_agent_input', content: input },
  ]
  for (const message of messages) {
    stage.record(scene, { direction: 'request', flow: 'out', ...message, ...sessionOf(input) })
  }
  return () => {
    for (const { surface, content } of messages) stage.count(scene, surface, content)
  }
}

interface Reading extends RunOptions {
  readonly call: AbortController
  readonly session: Pick<Message, 'session'>
}

async function readStream(reading: Reading, answer: HttpAnswer, input: Value): Promise<FinishedRun> {
  const { context, over } = reading
  const transcript = createTranscript(historyOf(input), context.newId)
  const enrich = createEnrichment()
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
      const { name } = read
      const event = enrich(name, read.event)
      if (name === 'run_finished') ending = 'finished'
      else if (name === 'run_error') {
        ending = 'failed'
        context.stage.report('agent-failed', failureText(event))
      } else if (name === 'run_started') ending = 'unfinished'
      const message = { direction: 'response', surface: name, content: event, ...reading.session } as const
      await context.stage.receive(message, async (scene) => transcript.take(name, event, scene))
    }
  } catch (thrown) {
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

/** What the agent says about its failure: an agent that cannot work has resisted nothing. */
function failureText(event: ValueRecord): string {
  const said = [textOf(event, 'code'), textOf(event, 'message')].filter((part) => part !== undefined && part !== '')
  return `the agent ended its run with an error: ${said.join(': ').slice(0, LONGEST_TEXT) || 'it does not say why'}`
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

/** What an agent says that does not take an input, as an error: it was never there for the attack. */
async function refusal(
  options: RunOptions,
  { status, body }: HttpAnswer,
  session: Pick<Message, 'session'>,
): Promise<ArenaError> {
  const { context, end, over } = options
  const { clock, limits } = context
  const late = (): BodyText => ({ text: '' })
  const { text } = await within(clock, limits.replyMs, readBody(body, limits.messageBytes), over, late)
  const what = `${end.url} answered with HTTP ${status}`
  const why = turnedAway(status, text)
  if (why !== undefined && !over.aborted) context.stage.report('agent-failed', why)
  if (!over.aborted) tellMalformed({ ...options, session }, 'run_agent_input', text, what)
  return new ArenaError('connection_lost', text === '' ? what : `${what}: ${text.slice(0, 200)}`)
}

function tellMalformed(
  { context: { stage }, session }: Omit<Reading, 'call'>,
  surface: string,
  text: string,
  malformed: string,
): void {
  stage.record(stage.scene(), { direction: 'response', flow: 'in', surface, content: text, malformed, ...session })
  stage.report('message-malformed', `a message of the agent: ${malformed}`)
}
