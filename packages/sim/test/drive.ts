/** Drives a model through a conversation: its calls are answered from a table until it gives its own answer. */
import type {
  LanguageModelV4 as LanguageModel,
  LanguageModelV4CallOptions as ModelCall,
  LanguageModelV4Message as ModelMessage,
  JSONSchema7 as ModelSchema,
  LanguageModelV4FunctionTool as ModelTool,
} from '@ai-sdk/provider'
import type { Value, ValueRecord } from '@joust/source'
import type { Marks } from '../src/index.ts'

export interface FakeTool {
  readonly name: string
  readonly description?: string
  /** Names of string parameters; a trailing `!` makes one required. */
  readonly parameters?: readonly string[]
  readonly schema?: ValueRecord
  readonly result?: string | ((args: ValueRecord) => string)
}

export interface Scene {
  readonly system?: string
  readonly server?: string
  readonly history?: readonly ModelMessage[]
  readonly state?: Value
  readonly request?: string
  readonly tools?: readonly FakeTool[]
  readonly options?: Partial<ModelCall>
}

export interface Outcome {
  readonly calls: readonly { readonly name: string; readonly input: ValueRecord }[]
  readonly answer: string
}

const MOST_TURNS = 60
const SERVERS = '\n\nservers say:\n'
const DATA = '\nend of data\n'

/** How the prompts of these tests mark text by others. */
const marks: Marks = {
  splitSystem: (text) => {
    const [own = '', ...servers] = text.split(SERVERS)
    return { own, servers: servers.join('\n') }
  },
  splitData: (text) => {
    const parts = text.split(DATA)
    return { own: parts.at(-1) ?? '', data: parts.slice(0, -1) }
  },
}

export const number = { type: 'number' }
export const text = { type: 'string' }

export const tool = (name: string, description: string, properties: ValueRecord, ...required: string[]): FakeTool => ({
  name,
  description,
  schema: { type: 'object', properties, required },
})

const message = { message: { type: 'string', description: 'The complete request to the agent.' } }

/** Another agent as a tool. */
export const agent = (name: string, description: string): FakeTool => ({
  name,
  description,
  schema: { type: 'object', properties: message, required: ['message'], additionalProperties: false },
})

export async function drive(make: (marks: Marks) => LanguageModel, scene: Scene): Promise<Outcome> {
  const model = make(marks)
  const tools = (scene.tools ?? []).map(modelTool)
  const prompt = firstPrompt(scene)
  const calls: { name: string; input: ValueRecord }[] = []
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const { content } = await model.doGenerate({ prompt, ...(tools.length === 0 ? {} : { tools }), ...scene.options })
    const asked = content.filter((part) => part.type === 'tool-call')
    if (asked.length === 0)
      return { calls, answer: content.map((part) => (part.type === 'text' ? part.text : '')).join('') }
    for (const { toolCallId, toolName, input } of asked) {
      const args: ValueRecord = JSON.parse(input)
      calls.push({ name: toolName, input: args })
      const result = scene.tools?.find(({ name }) => name === toolName)?.result ?? 'ok'
      const value = typeof result === 'string' ? result : result(args)
      prompt.push({ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: args }] })
      prompt.push({
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
      })
    }
  }
  throw new Error(`no answer after ${MOST_TURNS} turns`)
}

export function userMessage(text: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

export function assistantMessage(text: string): ModelMessage {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

function firstPrompt({
  system = 'You help people.',
  server,
  history = [],
  state,
  request = 'Hello.',
}: Scene): ModelMessage[] {
  const content = server === undefined ? system : `${system}${SERVERS}${server}`
  const text = state === undefined ? request : `${JSON.stringify(state)}${DATA}${request}`
  return [{ role: 'system', content }, ...history, { role: 'user', content: [{ type: 'text', text }] }]
}

function modelTool({ name, description, parameters = [], schema }: FakeTool): ModelTool {
  const required = parameters.filter((parameter) => parameter.endsWith('!')).map((parameter) => parameter.slice(0, -1))
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter.replace('!', ''), { type: 'string' }]))
  const inputSchema = schema ?? { type: 'object', properties, required }
  // The table in a test is a JSON Schema.
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: inputSchema as ModelSchema,
  }
}
