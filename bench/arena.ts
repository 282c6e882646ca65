/** Measures the cost of an attack: whole runs, messages through a server actor, and judging a long trace. */
import { createReadStream, rmSync, statSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { judge, runAttack } from '@joust/arena'
import { createCelEvaluator, type LoadedAttack, load } from '@joust/oatf'
import { knownShapes, redactEntry, type TraceEntry } from '@joust/results'
import { readTrace, writeTrace } from '@joust/results/files'
import { measureByTurns, processorTime } from './measure.ts'

const CALLS = 2000
const LINES = 1_000_000

/**
 * Returns the processor seconds of one self-play run with one MCP call, and of starting a bare server, sending it the
 * same requests, and stopping it.
 */
export async function benchRun(seconds: number): Promise<{ readonly run: number; readonly bareRun: number }> {
  const attack = loaded(selfPlay)
  const oneRun = async () => {
    const { verdict } = await runAttack(attack, { wire: { client: 'server' }, limits: { graceMs: 0, observeMs: 0 } })
    if (verdict.result !== 'exploited') throw new Error(`the benchmark attack is ${verdict.result}`)
  }
  const oneBareRun = () =>
    withBareServer(async (url) => {
      // initialize, initialized, the standing stream, the call
      await post(url, call, false)
      await post(url, call, false)
      await standing(url)
      await post(url, call, false)
    })
  const [run, bareRun] = await measureByTurns(oneRun, oneBareRun, 2 * seconds)
  return { run, bareRun }
}

/** Returns the seconds of one tool call through a recorded server actor, and of the same call to a bare server. */
export async function benchMessages(): Promise<{ readonly message: number; readonly bareMessage: number }> {
  let message = 0
  await runAttack(loaded(serverOnly), {
    limits: { graceMs: 0, observeMs: 0 },
    target: {
      name: 'load',
      start: async ({ servers }) => ({
        endpoints: {},
        turn: async () => {
          message = await timed(servers[0]?.address ?? '')
        },
        stop: async () => {},
      }),
    },
  })
  const bareMessage = await withBareServer((url) => timed(url))
  return { message, bareMessage }
}

/** Returns the seconds of one call over a connection that stays open. */
export async function timed(url: string, calls = CALLS): Promise<number> {
  for (let count = 0; count < calls / 10; count++) await post(url, call, true)
  const start = performance.now()
  for (let count = 0; count < calls; count++) await post(url, call, true)
  return (performance.now() - start) / 1000 / calls
}

/**
 * Judges all lines of a trace file with a pattern and a CEL indicator, alternating with only parsing them. Returns the
 * fastest time of each.
 */
export async function benchJudge(folder: string, rounds: number) {
  const file = join(folder, 'bench-trace.jsonl')
  const writer = writeTrace(file)
  const redactor = knownShapes()
  for (let seq = 1; seq <= LINES; seq++) writer.write(redactEntry(entryOf(seq), redactor))
  await writer.close()
  let held = 0
  const times = { judge: Number.POSITIVE_INFINITY, parse: Number.POSITIVE_INFINITY }
  for (let round = 0; round < rounds; round++) {
    times.parse = Math.min(times.parse, await processorTime(() => parseLines(file)))
    const watch = setInterval(() => {
      held = Math.max(held, process.memoryUsage().rss)
    }, 50)
    times.judge = Math.min(times.judge, await processorTime(() => judgeLines(file)))
    clearInterval(watch)
  }
  const bytes = statSync(file).size
  rmSync(file)
  return { ...times, lines: LINES, bytes, held }
}

async function parseLines(file: string): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line)
}

async function judgeLines(file: string): Promise<void> {
  const verdict = await judge(loaded(serverOnly), readTrace(file), { cel: createCelEvaluator(), evaluationMs: 600_000 })
  if (verdict.result !== 'exploited') throw new Error(`the benchmark trace is ${verdict.result}`)
}

/** Returns a trace entry. Only the last one matches the indicators. */
function entryOf(seq: number): TraceEntry {
  const content = {
    name: 'echo',
    arguments: { text: seq === LINES ? 'the secret word' : `line ${seq} of many`, count: seq },
  }
  const at = new Date(1_700_000_000_000 + seq).toISOString()
  const who = { actor: 'default', mode: 'mcp_server', protocol: 'mcp', phase: 'phase-1', session: 's' }
  return { seq, at, elapsed_ms: seq, ...who, direction: 'request', flow: 'in', surface: 'tools/call', content }
}

async function withBareServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(async (incoming, response) => {
    if (incoming.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      return
    }
    let body = ''
    for await (const chunk of incoming) body += chunk
    const { id } = JSON.parse(body)
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'said' }] } })
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const kept = new Agent({ keepAlive: true, maxSockets: 1 })
const call = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'hello' } },
})

function post(url: string, body: string, keep: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const outgoing = request(url, { method: 'POST', headers, agent: keep ? kept : false }, (answer) => {
      answer.resume()
      answer.on('end', resolve)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Opens a stream and leaves it open. */
function standing(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: { accept: 'text/event-stream' }, agent: false }, (answer) => {
      answer.on('error', () => {}) // the server ends the stream
      answer.resume()
      resolve()
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function loaded(text: string): LoadedAttack {
  const result = load(text)
  if (!result.ok) throw new Error(result.error.map(({ message }) => message).join('\n'))
  return result.value
}

const state = 'tools: [{ name: echo, responses: [{ content: { content: [{ type: text, text: said }] } }] }]'
const indicators = (protocol: string) => `
    - { ${protocol}surface: tools/call, direction: request, target: arguments.text, pattern: { contains: secret } }
    - ${protocol === '' ? '' : `{ ${protocol}surface: tools/call, direction: request, target: name, pattern: { contains: nobody } }\n    - `}{ ${protocol}surface: tools/call, direction: request, target: arguments, expression: { cel: "has(message.arguments) && has(message.arguments.text) && message.arguments.text.endsWith('word')" } }`

export const serverOnly = `oatf: "0.1"
attack:
  name: Bench
  execution: { mode: mcp_server, state: { ${state} } }
  indicators:${indicators('')}
`
const selfPlay = `oatf: "0.1"
attack:
  name: Bench
  execution:
    actors:
      - { name: server, mode: mcp_server, phases: [{ state: { ${state} } }] }
      - name: client
        mode: mcp_client
        phases: [{ state: { actions: [{ method: tools/call, params: { name: echo, arguments: { text: a secret word } } }] } }]
  indicators:${indicators('protocol: mcp, actor: server, ')}
`
