/** Compares the runtime with a bare loop over the same AI SDK model, and measures conversations with a served agent. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Agent, loadAgent } from '@joust/agentformat'
import { createRuntime, type LanguageModel, resolveModel, serveAgUi } from '@joust/runtime'
import { measureByTurns, median } from './measure.ts'

interface LoopFigures {
  /** One step: a model call over loopback and a tool call. */
  readonly step: readonly [bare: number, runtime: number]
  /** From the request to the first text chunk. */
  readonly chunk: readonly [bare: number, runtime: number]
}

/** Concurrent conversations with a served agent. */
interface ConversationFigures {
  readonly conversations: number
  readonly answered: number
  readonly seconds: number
  /** Growth of resident memory while all conversations are open, including clients. */
  readonly bytesEach: number
}

const STEPS = 20
const CONVERSATIONS = 1000

type Prompt = Parameters<LanguageModel['doGenerate']>[0]['prompt']
const tool = { type: 'function' as const, name: 'tool', inputSchema: { type: 'object' as const } }

/** Measures a react loop of both kinds alternately. */
export async function benchLoop(seconds: number): Promise<LoopFigures> {
  const server = await instantServer()
  try {
    const env = { OPENAI_COMPATIBLE_BASE_URL: server.url }
    const model = await resolveModel('openai-compatible/m', env)
    if (!model.ok) throw new Error(model.error.message)
    const agent = await loaded(`local_tools: [{ alias: tool }]`)
    const plain = await loaded('')
    const runtime = createRuntime({ env, tools: { tool: { call: () => 'ok' } } })
    const one = async (text: string, agent: Agent) => {
      const result = await runtime.run(agent, text)
      if (!result.ok) throw new Error(result.error.message)
    }
    const step = await measureByTurns(
      () => bareLoop(model.value),
      () => one(`steps ${STEPS}`, agent),
      seconds,
    )
    const chunk = await firstChunks(model.value, runtime, plain, seconds)
    await runtime.close()
    return { step: [step[0] / (STEPS + 1), step[1] / (STEPS + 1)], chunk }
  } finally {
    await server.close()
  }
}

/** Returns the median times to the first chunk, measured alternately. */
async function firstChunks(
  model: LanguageModel,
  runtime: ReturnType<typeof createRuntime>,
  agent: Agent,
  seconds: number,
): Promise<readonly [number, number]> {
  const rounds: readonly [number[], number[]] = [[], []]
  const end = performance.now() + seconds * 1000
  do {
    rounds[0].push(await bareChunk(model))
    rounds[1].push(await runtimeChunk(runtime, agent))
  } while (performance.now() < end)
  return [median(rounds[0].slice(5)), median(rounds[1].slice(5))]
}

async function bareLoop(model: LanguageModel): Promise<void> {
  const prompt: Prompt = [
    { role: 'system', content: 'Work.' },
    { role: 'user', content: [{ type: 'text', text: `steps ${STEPS}` }] },
  ]
  for (;;) {
    const { content } = await model.doGenerate({ prompt, tools: [tool] })
    const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
    if (calls.length === 0) return
    prompt.push({ role: 'assistant', content: calls.map((call) => ({ ...call, input: JSON.parse(call.input) })) })
    const output = { type: 'text' as const, value: 'ok' }
    prompt.push({ role: 'tool', content: calls.map((call) => ({ ...call, type: 'tool-result', output })) })
  }
}

async function bareChunk(model: LanguageModel): Promise<number> {
  const prompt: Prompt = [{ role: 'user', content: [{ type: 'text', text: 'steps 0' }] }]
  const start = performance.now()
  let first = 0
  const { stream } = await model.doStream({ prompt })
  for await (const part of stream) if (part.type === 'text-delta' && first === 0) first = performance.now() - start
  return first / 1000
}

async function runtimeChunk(runtime: ReturnType<typeof createRuntime>, agent: Agent): Promise<number> {
  const start = performance.now()
  let first = 0
  const onEvent = ({ type }: { readonly type: string }) => {
    if (type === 'model-text' && first === 0) first = performance.now() - start
  }
  await runtime.run(agent, 'steps 0', { stream: true, onEvent })
  return first / 1000
}

/** Opens all conversations, waits until every model has been called, and answers them. */
export async function benchConversations(): Promise<ConversationFigures> {
  const server = await instantServer(CONVERSATIONS)
  const agent = await loaded('')
  const runtime = createRuntime({ env: { OPENAI_COMPATIBLE_BASE_URL: server.url } })
  const served = await serveAgUi(runtime, agent)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const start = performance.now()
  const open = Array.from({ length: CONVERSATIONS }, (_, index) => converse(served.url, index))
  await server.full
  const bytesEach = (process.memoryUsage().rss - before) / CONVERSATIONS
  server.release()
  const answered = (await Promise.all(open)).filter(Boolean).length
  const seconds = (performance.now() - start) / 1000
  await served.close()
  await runtime.close()
  await server.close()
  return { conversations: CONVERSATIONS, answered, seconds, bytesEach }
}

async function converse(url: string, index: number): Promise<boolean> {
  const message = { id: 'm', role: 'user', content: 'steps 0' }
  const body = { threadId: `t${index}`, runId: 'r', messages: [message], tools: [], context: [], state: {} }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.text()).includes('RUN_FINISHED')
}

interface InstantServer {
  readonly url: string
  /** Resolves once `hold` requests are waiting. */
  readonly full: Promise<void>
  release(): void
  close(): Promise<void>
}

/**
 * Starts a model that answers immediately, or once `hold` requests are waiting. The prompt specifies its number of tool
 * calls.
 */
async function instantServer(hold = 0): Promise<InstantServer> {
  const waiting: (() => void)[] = []
  let isOpen = hold === 0
  let fill = () => {}
  const full = new Promise<void>((resolve) => (fill = resolve))
  const server: Server = createServer((request, response) => {
    const chunks: Uint8Array[] = []
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    request.on('end', () => {
      const answer = () => respond(JSON.parse(Buffer.concat(chunks).toString()))
      if (isOpen) return answer()
      waiting.push(answer)
      if (waiting.length === hold) fill()
    })
    const respond = (body: { readonly stream?: boolean; readonly messages: readonly { readonly role: string }[] }) => {
      const done = body.messages.filter(({ role }) => role === 'tool').length
      const wanted = Number(/steps (\d+)/.exec(JSON.stringify(body.messages))?.[1] ?? 0)
      const calls = [{ index: 0, id: `c${done}`, type: 'function', function: { name: 'tool', arguments: '{}' } }]
      const message = done < wanted ? { role: 'assistant', tool_calls: calls } : { role: 'assistant', content: 'done' }
      const choice = { index: 0, finish_reason: done < wanted ? 'tool_calls' : 'stop' }
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      const whole = { id: 'x', object: 'chat.completion', created: 1, model: 'm', usage }
      if (body.stream !== true) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ ...whole, choices: [{ ...choice, message }] }))
        return
      }
      response.setHeader('content-type', 'text/event-stream')
      response.end(
        `data: ${JSON.stringify({ ...whole, choices: [{ ...choice, delta: message }] })}\n\ndata: [DONE]\n\n`,
      )
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4 * CONVERSATIONS, resolve))
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    full,
    release() {
      isOpen = true
      for (const answer of waiting.splice(0)) answer()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function loaded(actions: string): Promise<Agent> {
  const text = `schema_version: 1.0.0
metadata: { id: bench, name: Bench, version: 1.0.0, description: Works. }
interface: { input: { type: string }, output: { type: string } }
execution_policy:
  { id: agf.react, config: { instructions: Work., model: openai-compatible/m, max_steps: ${STEPS + 1} } }
action_space: { ${actions} }
`
  const result = await loadAgent('a', { read: async () => text })
  if (!result.ok) throw new Error(result.error.map(({ message }) => message).join('\n'))
  return result.value.agent
}
