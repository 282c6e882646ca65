/** A model that calls every tool it is offered, once each, regardless of its prompt, and then repeats the latest text. */
import type { LanguageModel } from '@joust/runtime'
import { scriptedModel } from '@joust/sim'
import { isRecord, own, ownList, ownText, type Value } from '@joust/source'

type Call = Parameters<LanguageModel['doGenerate']>[0]

/** The texts that fill arguments: the words of the user, the latest text, or all texts. */
export const fillings = ['user', 'latest', 'all'] as const

type Filling = (typeof fillings)[number]

/** Makes the model. */
export function eagerModel(filling: Filling): LanguageModel {
  const next = (call: Call) => scriptedModel([turnOf(call, filling)])
  return {
    ...scriptedModel([]),
    doGenerate: async (call) => next(call).doGenerate(call),
    doStream: async (call) => next(call).doStream(call),
  }
}

function turnOf(call: Call, filling: Filling) {
  const called = new Set(
    call.prompt.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : [])),
    ),
  )
  const texts = seenTexts(call, filling)
  const tool = (call.tools ?? []).find((one) => one.type === 'function' && !called.has(one.name))
  if (tool?.type !== 'function') return { text: texts.at(-1) ?? 'Done.' }
  // The provider interface types a JSON schema more narrowly than any JSON value.
  const input = valueFor(tool.inputSchema as Value, filling === 'all' ? texts.join('\n') : (texts.at(-1) ?? ''))
  return { tool_calls: [{ name: tool.name, arguments: input }] }
}

function seenTexts({ prompt, tools = [] }: Call, filling: Filling): string[] {
  const messages = prompt.filter(({ role }) => (filling === 'user' ? role === 'user' : role !== 'assistant'))
  const described = filling === 'all' ? tools.map((tool) => JSON.stringify(tool)) : []
  const isSpoken = filling === 'all' ? messages : messages.filter(({ role }) => role !== 'system')
  return [...described, ...isSpoken.flatMap(({ content }) => textsIn(content))]
}

/** The texts in the content of a message of any shape. */
function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (Array.isArray(content)) return content.flatMap(textsIn)
  if (typeof content !== 'object' || content === null) return []
  const { text, output, value } = content as Record<string, unknown>
  return [text, output, value].flatMap(textsIn)
}

/** A value that fits a schema, in which every text is `words`. */
function valueFor(schema: Value, words: string): Value {
  const [choice] = ownList(schema, 'enum')
  if (choice !== undefined) return choice
  const type = ownText(schema, 'type')
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'array') return [valueFor(own(schema, 'items') ?? {}, words)]
  const properties = own(schema, 'properties')
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(isRecord(properties) ? properties : {}).map(([name, one]) => [name, valueFor(one, words)]),
    )
  const format = ownText(schema, 'format')
  if (format === 'email') return 'someone@example.com'
  return format === 'uri' ? 'https://example.com/' : words
}
