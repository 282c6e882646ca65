/** What an attack may need beyond the text of a user. */
import type { Actor } from '@joust/oatf'
import { isList, isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'

/** Everything beyond a user's text, in words for a sentence. */
export const needTable = {
  turns: 'a conversation of several turns',
  history: 'earlier messages that nobody said in this conversation',
  context: 'context beside the message',
  state: 'shared state',
  metadata: 'metadata of a message',
  tools: 'tools of the client',
  forwarded_props: 'forwarded properties',
  parts: 'files or data beside text',
  silence: 'a request without the words of a user',
  fields: 'a field that only the protocol has',
  methods: 'a method that only the protocol has',
  server_tools: 'an MCP server with tools of its own',
  sampling: 'a model behind its MCP client (sampling)',
  elicitation: 'a user behind its MCP client (elicitation)',
  roots: 'folders behind its MCP client (roots)',
  notices: 'a reader behind its MCP client (notifications)',
} as const

/** The name of something that an attack may need. */
export type NeedName = keyof typeof needTable

/** Something that an actor needs; `what` names it where there are several of a kind. */
export interface Need {
  readonly name: NeedName
  readonly what?: string
}

/** The needs whose condition holds. */
export function needsWhere(conditions: Readonly<Partial<Record<NeedName, boolean>>>): Need[] {
  // The keys are names by the type.
  return (Object.keys(conditions) as NeedName[]).filter((name) => conditions[name]).map((name) => ({ name }))
}

/** A request as written in a document. */
interface WrittenSend {
  readonly method: string
  readonly params: Value
}

/** The requests of an actor: the actions of its phases and what it sends on entering them, in order. */
export function writtenSends({ phases }: Actor): readonly WrittenSend[] {
  return phases.flatMap(({ state, on_enter = [] }) => {
    const entries = on_enter.map(({ send }) => send)
    return [...entries, ...ownList(state, 'actions')].flatMap((sent) => {
      const method = ownText(sent, 'method')
      return method === undefined ? [] : [{ method, params: own(sent, 'params') ?? {} }]
    })
  })
}

/** Whether a value is empty: then it need not be carried. */
export function isNothing(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  return isList(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
}

/** Whether a text is filled from what was said before. */
export function isTemplate(value: Value | undefined): boolean {
  return typeof value === 'string' && value.includes('{{')
}

/** The text of parts; undefined when one of them is something else. */
export function textOfParts(parts: readonly Value[]): string | undefined {
  const texts = parts.map((part) => {
    const kind = own(part, 'kind') ?? own(part, 'type') ?? 'text'
    return kind === 'text' ? ownText(part, 'text') : undefined
  })
  return texts.includes(undefined) ? undefined : texts.join('\n')
}

/** The keys of a record that hold something and are not among the known ones. */
export function otherKeys(record: ValueRecord, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(record).filter((key) => !known.has(key) && !isNothing(own(record, key)))
}
