/** Reads requests that contain tools and calls as text: from smolagents and DSPy's ReAct, which expects fields. */
import { isList, isRecord, own, parseJson, type Value, writeJson } from '@joust/source'
import type { AnswerCall, ModelAnswer, ModelRequest, OfferedTool, PromptMessage } from './model/call.ts'

interface TextRequest {
  readonly request: ModelRequest
  /** Formats an answer as the fields that the prompt asks for. */
  write(answer: ModelAnswer): ModelAnswer
}

const MARKED = 'Respond with the corresponding output fields, starting with the field '
const AS_JSON = 'Respond with a JSON object in the following order of fields: '
const [THOUGHT, NAME, ARGUMENTS] = ['next_thought', 'next_tool_name', 'next_tool_args'] as const
const FINISH = 'finish'

/** Parses a request that contains tool calls as text, or whose last message asks for named fields; undefined for others. */
export function readTextRequest(request: ModelRequest): TextRequest | undefined {
  return readFields(request) ?? readQuoted(request)
}

const CALLS = 'Calling tools:\n'
const RESULT = /^(?:Observation|Call id: .*\nError|Error):\n?/

/** Reads earlier calls, printed by Python in assistant messages and each followed by its result in a user message. */
function readQuoted(request: ModelRequest): TextRequest | undefined {
  let open: string | undefined
  const messages = request.messages.flatMap((message): PromptMessage[] => {
    if (message.role === 'user' && open !== undefined && RESULT.test(message.text)) {
      const result = { role: 'result', id: open, text: message.text.replace(RESULT, '') } as const
      open = undefined
      return [result]
    }
    const calls = message.role === 'assistant' && message.text.startsWith(CALLS) ? callsIn(message.text) : []
    open = calls.at(-1)?.id ?? open
    return calls.length > 0 ? calls : [message]
  })
  const isSame = messages.every((message, index) => message === request.messages[index])
  return isSame ? undefined : { request: { ...request, messages }, write: (answer) => answer }
}

function callsIn(text: string): (PromptMessage & { readonly role: 'call' })[] {
  const list = pythonValue(text.slice(CALLS.length))
  return (isList(list) ? list : []).flatMap((call) => {
    const [id, called] = [own(call, 'id'), own(call, 'function')]
    const name = own(called, 'name')
    if (typeof id !== 'string' || typeof name !== 'string') return []
    return [{ role: 'call' as const, id, name, input: own(called, 'arguments') ?? {} }]
  })
}

function readFields(request: ModelRequest): TextRequest | undefined {
  const last = request.messages.at(-1)
  if (last?.role !== 'user') return undefined
  const isJson = last.text.includes(AS_JSON)
  const at = last.text.lastIndexOf(isJson ? AS_JSON : MARKED)
  if (at === -1) return undefined
  const names = fieldNames(last.text.slice(at), isJson)
  const hasTools = [THOUGHT, NAME, ARGUMENTS].every((name) => names.includes(name))
  const fields = fieldsIn(last.text.slice(0, at))
  // Other messages may contain attack text.
  const tools = hasTools
    ? request.messages.flatMap((message) => (message.role === 'system' ? toolsIn(message.text) : []))
    : []
  const { answerSchema: _, ...rest } = request
  return {
    request: { ...rest, messages: messagesOf(fields), tools: [...request.tools, ...tools] },
    write(answer) {
      const values = hasTools ? stepOf(answer) : answerFields(names, answer.text)
      return { ...answer, calls: [], text: isJson ? writeJson(values) : markedText(values) }
    },
  }
}

function fieldNames(sentence: string, isJson: boolean): string[] {
  const names = [...sentence.matchAll(isJson ? /`(\w+)`/g : /`\[\[ ## (\w+) ## \]\]`/g)].map(([, name = '']) => name)
  return names.filter((name) => name !== 'completed')
}

/** Returns fields by name; only the first occurrence of a name counts. */
function fieldsIn(text: string): ReadonlyMap<string, string> {
  const [, ...parts] = text.split(/^\[\[ ## (\w+) ## \]\][ \t]*$/m)
  const fields = new Map<string, string>()
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const name = parts[index] ?? ''
    if (!fields.has(name)) fields.set(name, parts[index + 1]?.trim() ?? '')
  }
  return fields
}

const STEP = /^(?:trajectory|(?:thought|tool_name|tool_args|observation)_\d+)$/

function messagesOf(fields: ReadonlyMap<string, string>): PromptMessage[] {
  const inputs = [...fields].filter(([name]) => !STEP.test(name)).map(([, value]) => value)
  const messages: PromptMessage[] = [{ role: 'user', text: inputs.join('\n\n') }]
  for (let step = 0; fields.has(`tool_name_${step}`); step += 1) {
    const id = /^Call (\S+)$/.exec(fields.get(`thought_${step}`) ?? '')?.[1] ?? `step-${step}`
    const input = parseJson(fields.get(`tool_args_${step}`) ?? '') ?? {}
    messages.push({ role: 'call', id, name: fields.get(`tool_name_${step}`) ?? '', input })
    messages.push({ role: 'result', id, text: fields.get(`observation_${step}`) ?? '' })
  }
  return messages
}

const DESCRIBED = ', whose description is <desc>'
const TAKES = '. It takes arguments '

/** Reads tools from lines such as `(1) name, whose description is <desc>…</desc>. It takes arguments {…}.` */
function toolsIn(text: string): OfferedTool[] {
  return text.split('\n').flatMap((line): OfferedTool[] => {
    const [lead, name] = /^\s*\(\d+\) ([\w./-]+)(?=[.,] )/.exec(line) ?? []
    const end = line.lastIndexOf(TAKES)
    if (lead === undefined || name === undefined || name === FINISH || end < lead.length) return []
    const description = line
      .slice(lead.length, end)
      .replace(DESCRIBED, '')
      .replace(/<\/desc>$/, '')
    const properties = pythonValue(line.slice(end + TAKES.length).replace(/\.\s*$/, ''))
    if (!isRecord(properties)) return []
    const required = Object.keys(properties).filter((key) => own(properties[key], 'default') === undefined)
    return [{ name, description, schema: { type: 'object', properties, required } }]
  })
}

const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' }

/** Parses a Python literal; undefined for anything else. */
function pythonValue(text: string): Value | undefined {
  const json = text.replaceAll(
    /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\b(?:True|False|None)\b/g,
    (token, one, two) => {
      const content: string | undefined = one ?? two
      if (content === undefined) return words[token] ?? token
      return JSON.stringify(content.replaceAll(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped)))
    },
  )
  return parseJson(json)
}

/** Returns the fields of a step: the next call, or `finish`. The thought keeps the call id for the next request. */
function stepOf({ calls: [call], text }: ModelAnswer): Record<string, Value> {
  const step: Pick<AnswerCall, 'name' | 'input'> = call ?? { name: FINISH, input: {} }
  return { [THOUGHT]: call === undefined ? text : `Call ${call.id}`, [NAME]: step.name, [ARGUMENTS]: step.input }
}

/** Returns the fields of an answer: reasoning first, the answer itself last. */
function answerFields(names: readonly string[], text: string): Record<string, Value> {
  return Object.fromEntries(names.map((name, index) => [name, index === names.length - 1 ? text : 'See the answer.']))
}

function markedText(values: Readonly<Record<string, Value>>): string {
  const fields = Object.entries(values).map(([name, value]) => {
    return `[[ ## ${name} ## ]]\n${typeof value === 'string' ? value : writeJson(value)}\n\n`
  })
  return `${fields.join('')}[[ ## completed ## ]]`
}
