/** Features that an attack may need beyond a user's text. */
import type { Actor } from '@joust/oatf'
import { isList, isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'

/** The needs as noun phrases. */
export const needTable = {
  turns: 'a conversation with several turns',
  history: 'a forged message history',
  context: 'context items',
  state: 'shared state',
  metadata: 'message metadata',
  tools: 'client-side tools',
  forwarded_props: 'forwarded properties',
  parts: 'message parts other than text',
  silence: 'a request without a user message',
  fields: 'protocol fields',
  methods: 'protocol methods',
  server_tools: 'an MCP server with its own tools',
  sampling: 'an MCP client with sampling',
  elicitation: 'an MCP client with elicitation',
  roots: 'an MCP client with roots',
  notices: 'an MCP client that shows notifications to the model',
  modern: 'an MCP client that supports 2026-07-28',
  headers: 'an MCP server that reads HTTP headers',
  push: 'push notifications',
  interrupts: 'interrupts',
  signatures: 'agent card signatures',
} as const

/** A kind of need. */
export type NeedName = keyof typeof needTable

/** A need of an actor; `what` is a detail, such as a method name. */
export interface Need {
  readonly name: NeedName
  readonly what?: string
}

export function needsWhere(conditions: Readonly<Partial<Record<NeedName, boolean>>>): Need[] {
  // The type does not say that the keys are names.
  return (Object.keys(conditions) as NeedName[]).filter((name) => conditions[name]).map((name) => ({ name }))
}

interface WrittenSend {
  readonly method: string
  readonly params: Value
}

/** Lists the entry messages and actions of an actor's phases, in order. */
export function writtenSends({ phases }: Actor): readonly WrittenSend[] {
  return phases.flatMap(({ state, on_enter = [] }) => {
    const entries = on_enter.map(({ send }) => send)
    return [...entries, ...ownList(state, 'actions')].flatMap((sent) => {
      const method = ownText(sent, 'method')
      return method === undefined ? [] : [{ method, params: own(sent, 'params') ?? {} }]
    })
  })
}

/** True for an absent or empty value. */
export function isNothing(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  return isList(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
}

export function isTemplate(value: Value | undefined): boolean {
  return typeof value === 'string' && value.includes('{{')
}

/** Joins the text of parts; undefined if a part is not text. */
export function textOfParts(parts: readonly Value[]): string | undefined {
  const texts = parts.map((part) => {
    const kind = own(part, 'kind') ?? own(part, 'type') ?? 'text'
    return kind === 'text' ? ownText(part, 'text') : undefined
  })
  return texts.includes(undefined) ? undefined : texts.join('\n')
}

export function otherKeys(record: ValueRecord, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(record).filter((key) => !known.has(key) && !isNothing(own(record, key)))
}
