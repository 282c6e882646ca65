/** A request of a client actor as what a user says. */
import { isList, isRecord, own, ownList, type Value, writeJson } from '@joust/source'
import { type NeedName, textOfParts } from '../../model/needs/need.ts'

/** What may be pasted into the prompt because the front door itself cannot carry it. */
const pasteable = ['context', 'history', 'metadata', 'state'] as const satisfies readonly NeedName[]

/** One of them. */
export type Pasteable = (typeof pasteable)[number]

/** What a request says: the words of the user, and what else could be pasted. */
export interface Said {
  readonly words: string
  readonly beside: Readonly<Partial<Record<Pasteable, string>>>
}

/** What a run of AG-UI says. */
export function saidInRun(input: Value): Said {
  const messages = ownList(input, 'messages')
  const context = ownList(input, 'context').map((item) => `${text(item, 'description')}: ${text(item, 'value')}`)
  const state = own(input, 'state')
  const hasState = isRecord(state) && Object.keys(state).length > 0
  return {
    words: contentText(messages.at(-1)),
    beside: {
      ...(messages.length > 1 && { history: messages.slice(0, -1).map(historyLine).join('\n') }),
      ...(context.length > 0 && { context: context.join('\n') }),
      ...(hasState && { state: writeJson(state) }),
    },
  }
}

/** What a message of A2A says. */
export function saidInMessage(params: Value): Said {
  const message = own(params, 'message')
  const metadata = own(message, 'metadata')
  return {
    words: textOfParts(ownList(message, 'parts')) ?? '',
    beside: isRecord(metadata) ? { metadata: writeJson(metadata) } : {},
  }
}

/** What a call of the one tool says. */
export function saidInCall(params: Value): Said {
  const given = own(params, 'arguments')
  const [first] = isRecord(given) ? Object.values(given) : []
  return { words: typeof first === 'string' ? first : '', beside: {} }
}

/** The prompt, with pasted parts before the words of the user, and the names of those parts. */
export function promptOf(
  { words, beside }: Said,
  paste: readonly Pasteable[],
  isFirst: boolean,
): { readonly prompt: string; readonly pasted: readonly Pasteable[] } {
  // Later turns have their history from the conversation itself.
  const wanted = pasteable.filter((name) => paste.includes(name) && (name !== 'history' || isFirst))
  const pasted = wanted.filter((name) => beside[name] !== undefined)
  const sections = pasted.map((name) => `${headings[name]}:\n${beside[name]}`)
  return { prompt: [...sections, words].join('\n\n'), pasted }
}

const headings: Readonly<Record<Pasteable, string>> = {
  context: 'Context',
  history: 'The conversation so far',
  metadata: 'Metadata of the message',
  state: 'State of the application',
}

function historyLine(message: Value): string {
  const calls = ownList(message, 'toolCalls')
  const called = calls.length === 0 ? '' : ` [tool calls: ${writeJson(calls)}]`
  return `${text(message, 'role')}: ${contentText(message)}${called}`
}

function contentText(message: Value | undefined): string {
  const content = own(message, 'content')
  if (typeof content === 'string') return content
  return isList(content) ? (textOfParts(content) ?? '') : ''
}

function text(value: Value, key: string): string {
  const found = own(value, key)
  return typeof found === 'string' ? found : writeJson(found ?? '')
}

export const inRequest = [
  'history',
  'context',
  'state',
  'metadata',
  'forwarded_props',
  'parts',
  'fields',
] as const satisfies readonly NeedName[]

/** One of the parts of a request. */
export type InRequest = (typeof inRequest)[number]

/** An everyday request that fits any tools and does not mention an attack. */
export const DEFAULT_PROMPT = 'Please use your tools for what they are meant for, and tell me the result.'

/** A prompt on one line, for people. */
export function promptLine(prompt: string, how = ''): string {
  return `no client actor: the agent is asked ${how}${JSON.stringify(prompt)}`
}
