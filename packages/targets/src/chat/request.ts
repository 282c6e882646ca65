import { type NeedName, textOfParts } from '@joust/arena'
import { isList, isRecord, own, ownList, type Value, writeJson } from '@joust/source'

const pasteable = ['context', 'history', 'metadata', 'state'] as const satisfies readonly NeedName[]

export type Pasteable = (typeof pasteable)[number]

/** The text of a user's message, and the other parts of the request. */
export interface UserMessage {
  readonly text: string
  readonly extras: Readonly<Partial<Record<Pasteable, string>>>
}

/** Reads the user's message from an AG-UI run input. */
export function messageInRun(input: Value): UserMessage {
  const messages = ownList(input, 'messages')
  const context = ownList(input, 'context').map((item) => `${textAt(item, 'description')}: ${textAt(item, 'value')}`)
  const state = own(input, 'state')
  const hasState = isRecord(state) && Object.keys(state).length > 0
  return {
    text: contentText(messages.at(-1)),
    extras: {
      ...(messages.length > 1 && { history: messages.slice(0, -1).map(historyLine).join('\n') }),
      ...(context.length > 0 && { context: context.join('\n') }),
      ...(hasState && { state: writeJson(state) }),
    },
  }
}

/** Returns the messages before the last one in an AG-UI run input. */
export function historyIn(input: Value): { readonly role: string; readonly content: string }[] {
  const earlier = ownList(input, 'messages').slice(0, -1)
  return earlier.map((message) => ({ role: textAt(message, 'role'), content: contentText(message) }))
}

/** Reads the user's message from A2A request parameters. */
export function messageInParams(params: Value): UserMessage {
  const message = own(params, 'message')
  const metadata = own(message, 'metadata')
  return {
    text: textOfParts(ownList(message, 'parts')) ?? '',
    extras: isRecord(metadata) ? { metadata: writeJson(metadata) } : {},
  }
}

/** Reads the user's message from the first argument of a tool call. */
export function messageInCall(params: Value): UserMessage {
  const args = own(params, 'arguments')
  const [first] = isRecord(args) ? Object.values(args) : []
  return { text: typeof first === 'string' ? first : '', extras: {} }
}

/** Builds the prompt from the pasted parts and the user's text. Also returns the names of the parts. */
export function promptOf(
  { text, extras }: UserMessage,
  paste: readonly Pasteable[],
  isFirst: boolean,
): { readonly prompt: string; readonly pasted: readonly Pasteable[] } {
  // In later turns, the conversation provides the history.
  const enabled = pasteable.filter((name) => paste.includes(name) && (name !== 'history' || isFirst))
  const pasted = enabled.filter((name) => extras[name] !== undefined)
  const sections = pasted.map((name) => `${headings[name]}:\n${extras[name]}`)
  return { prompt: [...sections, text].join('\n\n'), pasted }
}

const headings: Readonly<Record<Pasteable, string>> = {
  context: 'Context',
  history: 'The conversation so far',
  metadata: 'Metadata of the message',
  state: 'State of the application',
}

function historyLine(message: Value): string {
  const calls = ownList(message, 'toolCalls')
  const suffix = calls.length === 0 ? '' : ` [tool calls: ${writeJson(calls)}]`
  return `${textAt(message, 'role')}: ${contentText(message)}${suffix}`
}

function contentText(message: Value | undefined): string {
  const content = own(message, 'content')
  if (typeof content === 'string') return content
  return isList(content) ? (textOfParts(content) ?? '') : ''
}

function textAt(value: Value, key: string): string {
  const item = own(value, key)
  return typeof item === 'string' ? item : writeJson(item ?? '')
}

/** The parts of a request other than the text. */
export const requestParts = [
  'history',
  'context',
  'state',
  'metadata',
  'forwarded_props',
  'parts',
  'fields',
] as const satisfies readonly NeedName[]

export type RequestPart = (typeof requestParts)[number]

/** An ordinary request that is suitable for any tools and does not mention an attack. */
export const DEFAULT_PROMPT = 'Please use your tools for what they are meant for, and tell me the result.'

export function promptLine(prompt: string, how = ''): string {
  return `no client actor: the agent is asked ${how}${JSON.stringify(prompt)}`
}
