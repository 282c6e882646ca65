/** The channels that reach a target's model, as determined by a preflight. */

import type { AttackRun, ModelObservation } from '@joust/arena'
import { hasWord } from '@joust/arena'
import { createReader } from '@joust/models'
import type { Channel, ChannelState, Memory, ResultPreflight, TraceEntry } from '@joust/results'
import { ownText, type Value, valueToText } from '@joust/source'

export interface PreflightEvidence {
  readonly run: AttackRun
  /** The observed model requests; undefined if they cannot be observed. */
  readonly observation: ModelObservation | undefined
}

/** Returns the state of each channel. If calls are not observed, a missing text means `unknown`, never `no`. */
export function channelsOf(
  texts: ReadonlyMap<Channel, string>,
  evidence: PreflightEvidence,
): NonNullable<ResultPreflight['channels']> {
  const isObserved = (evidence.observation?.calls().length ?? 0) > 0
  const stateOf = isObserved ? observedState(evidence) : askedState(evidence)
  return Object.fromEntries([...texts].map(([channel, text]) => [channel, stateOf(text)]))
}

/** Returns the channels whose text the agent never fetched, so that the state of these channels is unknown. */
export function unfetchedOf(
  texts: ReadonlyMap<Channel, string>,
  { run }: PreflightEvidence,
  states: NonNullable<ResultPreflight['channels']>,
): readonly Channel[] {
  const isSent = (text: string) => run.trace.some((entry) => entry.flow === 'out' && holds(entry, text))
  return [...texts].flatMap(([channel, text]) => (states[channel] === 'unknown' && !isSent(text) ? [channel] : []))
}

type StateOf = (text: string) => ChannelState

function observedState({ run, observation }: PreflightEvidence): StateOf {
  const calls = observation?.calls() ?? []
  const readers = calls.map(({ body, messages, tools }) =>
    createReader(body ?? ({ messages, tools } as unknown as Value)),
  )
  const lastCall = Math.max(...calls.map(({ started }) => started))
  const isSent = (text: string) =>
    run.trace.some((entry) => entry.flow === 'out' && holds(entry, text) && Date.parse(entry.at) <= lastCall)
  return (text) => {
    if (readers.some((read) => ['exact', 'plain'].includes(read(text).kind))) return 'yes'
    return isSent(text) && observation?.missed() === 0 ? 'no' : 'unknown'
  }
}

function askedState({ run }: PreflightEvidence): StateOf {
  const texts = repeatedTexts(run)
  return (text) => (texts.some((one) => hasWord(one, text)) ? 'yes' : 'unknown')
}

/** Returns the agent's answers and the arguments of its tool calls. */
export function repeatedTexts({ trace, output = '', last_answer = '' }: AttackRun): readonly string[] {
  const received = trace.filter(({ mode, flow, surface }) => {
    if (flow !== 'in') return false
    if (mode === 'mcp_server') return surface === 'tools/call'
    return mode !== 'a2a_server' || surface.startsWith('message/')
  })
  // A stream may split a text, so its parts are also joined.
  const deltas = received.map(({ content }) => ownText(content, 'delta') ?? '').join('')
  return [output, last_answer, deltas, ...received.map(textOf)]
}

function textOf({ content }: TraceEntry): string {
  const text = valueToText(content, 'code-point')
  return text.ok ? text.value : ''
}

function holds(entry: TraceEntry, text: string): boolean {
  return textOf(entry).includes(text)
}

export interface MemoryWords {
  readonly first: string
  readonly second: string
}

/** Returns the second message, which can only be answered with memory of the first. */
export function memoryQuestion({ second }: MemoryWords): string {
  return `Please reply with two words: ${second}, and the word that I asked you to remember.`
}

/**
 * Returns `no` if the answer contains only the second word, or if the model request that contains the second word lacks
 * the first. Undefined if there is no answer.
 */
export function memoryOf({ run, observation }: PreflightEvidence, { first, second }: MemoryWords): Memory | undefined {
  const { last_answer: answer = '' } = run
  if (hasWord(answer, first)) return 'yes'
  const requests = (observation?.calls() ?? []).map(({ messages }) => JSON.stringify(messages))
  const later = requests.filter((request) => request.includes(second))
  if (later.some((request) => request.includes(first))) return 'yes'
  if (hasWord(answer, second) || (later.length > 0 && observation?.missed() === 0)) return 'no'
  return run.last_answer === undefined ? undefined : 'unknown'
}
