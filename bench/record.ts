/** Measures a tool call with and without the recorder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startRecorder } from '@joust/authoring'

/** Medians of alternating calls, in seconds. */
interface RecordFigures {
  readonly way: 'stdio' | 'HTTP'
  readonly bytes: number
  readonly direct: number
  readonly recorded: number
}

/** Answers every request with its params, in a separate process like a real server. */
const ANSWER = 'JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(text).id, result: JSON.parse(text).params })'
const STDIO = `require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => console.log(${ANSWER}))`
const HTTP = `
const server = require('node:http').createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => { text += chunk })
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(${ANSWER}))
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`
const CALLS = 300

type Call = (text: string) => Promise<void>

/** Measures calls of 100 bytes and 100 kB over stdio and HTTP. */
export async function benchRecord(work: string): Promise<readonly RecordFigures[]> {
  const children: ChildProcess[] = []
  const start = (words: readonly string[]) => {
    const [command = '', ...args] = words
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    children.push(child)
    return child
  }
  const stdio = [process.execPath, '-e', STDIO]
  const server = start([process.execPath, '-e', HTTP])
  const url = `http://127.0.0.1:${String((await once(server.stdout, 'data'))[0]).trim()}/mcp`
  const [command = '', ...args] = stdio
  const text = JSON.stringify({ mcpServers: { a: { command, args }, b: { url } } })
  const recorder = await startRecorder({ folder: join(work, 'session'), config: { path: 'mcp.json', text } })
  if (!recorder.ok) throw new Error(recorder.error)
  const { a, b } = JSON.parse(recorder.value.config ?? '').mcpServers
  try {
    const ways = [
      { way: 'stdio', direct: overStdio(start(stdio)), recorded: overStdio(start([a.command, ...a.args])) },
      { way: 'HTTP', direct: overHttp(url), recorded: overHttp(b.url) },
    ] as const
    const figures: RecordFigures[] = []
    for (const { way, direct, recorded } of ways)
      for (const bytes of [100, 100_000]) figures.push({ way, bytes, ...(await byTurns(direct, recorded, bytes)) })
    return figures
  } finally {
    for (const child of children) child.kill()
    await recorder.value.close('done')
  }
}

async function byTurns(direct: Call, recorded: Call, bytes: number) {
  const params = { name: 'echo', arguments: { text: 'x'.repeat(bytes) } }
  const samples: [number[], number[]] = [[], []]
  for (let id = 0; id < CALLS; id++) {
    const text = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
    for (const [index, call] of [direct, recorded].entries()) {
      const begun = performance.now()
      await call(text)
      // Establish connections and compile code before measuring.
      if (id >= CALLS / 10) samples[index]?.push((performance.now() - begun) / 1000)
    }
  }
  const [first, second] = samples.map((times) => times.sort((one, two) => one - two)[Math.floor(times.length / 2)] ?? 0)
  return { direct: first ?? 0, recorded: second ?? 0 }
}

function overStdio({ stdin, stdout }: ReturnType<typeof spawn>): Call {
  if (stdin === null || stdout === null) throw new Error('expected piped streams')
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return async (text) => {
    stdin.write(`${text}\n`)
    await lines.next()
  }
}

function overHttp(url: string): Call {
  const agent = new Agent({ keepAlive: true })
  const headers = { 'content-type': 'application/json' }
  return (text) =>
    new Promise((resolve, reject) => {
      const call = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().once('end', () => resolve())
      })
      call.on('error', reject)
      call.end(text)
    })
}
