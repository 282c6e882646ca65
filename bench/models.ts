/**
 * Measures the delay that the model proxy adds to paced streams, its processor time, and its memory under gigabytes of
 * traffic.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { ServerReport } from './models-server.ts'

/** Figures in milliseconds, unless specified otherwise. */
interface ProxyFigures {
  readonly streams: number
  readonly pace: number
  readonly direct: Delays
  /** Through a process that only copies bytes between two sockets: the cost of any hop on this machine. */
  readonly relay: Delays
  readonly proxy: Delays
  /** Processor seconds of the proxy per call. */
  readonly cpu: number
}

/** Medians, and the slowest twentieth. */
interface Delays {
  /** Time from the request to the first chunk. */
  readonly first: readonly [median: number, late: number]
  /** Time from writing a chunk until it arrives. */
  readonly piece: readonly [median: number, late: number]
}

const STREAMS = 64
const PACE = 20
const PIECES = 60
const ROUNDS = 4
/** Milliseconds between the starts of two streams. */
const APART = 5

/** Measures 64 streams of 50 chunks per second alternately: direct, through a relay and through the proxy. */
export async function benchProxy(): Promise<ProxyFigures> {
  const provider = await start('provider', String(PIECES), String(PACE))
  const [relay, proxy] = [await start('relay', provider.url), await start('proxy', provider.url)]
  const ways = [provider, relay, proxy].map(({ url }) => ({ url, agent: new Agent({ keepAlive: true }) }))
  const samples = ways.map(emptySamples)
  try {
    // Establish connections and compile code before measuring.
    for (const way of ways) await round(way, emptySamples())
    const before = await proxy.report()
    for (let turn = 0; turn < ROUNDS; turn++)
      for (const [index, way] of ways.entries()) await round(way, samples[index] ?? emptySamples())
    const after = await proxy.report()
    const [direct, relayed, proxied] = [0, 1, 2].map((index) => delaysOf(samples[index] ?? emptySamples()))
    if (direct === undefined || relayed === undefined || proxied === undefined) throw new Error('expected three ways')
    const cpu = (after.cpu - before.cpu) / (after.calls - before.calls)
    return { streams: STREAMS, pace: PACE, direct, relay: relayed, proxy: proxied, cpu }
  } finally {
    for (const { child } of [proxy, relay, provider]) child.disconnect()
    for (const { agent } of ways) agent.destroy()
  }
}

interface Samples {
  readonly first: number[]
  readonly piece: number[]
}

const emptySamples = (): Samples => ({ first: [], piece: [] })

interface Way {
  readonly url: string
  readonly agent: Agent
}

interface Served {
  readonly child: ChildProcess
  readonly url: string
  report(): Promise<ServerReport>
}

async function start(...words: readonly string[]): Promise<Served> {
  const child = fork(fileURLToPath(new URL('models-server.js', import.meta.url)), [...words])
  // The other program sends nothing else.
  const next = () =>
    new Promise<ServerReport>((resolve) => void child.once('message', (value) => resolve(value as ServerReport)))
  const { url } = await next()
  const report = () => {
    const answer = next()
    child.send('report')
    return answer
  }
  return { child, url, report }
}

/** Measures streams that start one after another, like those of different users. */
async function round({ url, agent }: Way, samples: Samples): Promise<void> {
  await Promise.all(
    Array.from({ length: STREAMS }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * APART))
      await stream(url, agent, samples)
    }),
  )
}

const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'x'.repeat(20_000) }] })

function stream(url: string, agent: Agent, { first, piece }: Samples): Promise<void> {
  const started = now()
  return new Promise((resolve, reject) => {
    const call = request(`${url}/v1/chat/completions`, { method: 'POST', agent }, (answer) => {
      let text = ''
      let isFirst = true
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        const arrived = now()
        if (isFirst) first.push(arrived - started)
        isFirst = false
        text += chunk
        for (const [, written] of text.matchAll(/"at":([\d.]+)/g)) piece.push(arrived - Number(written))
        text = text.slice(text.lastIndexOf('\n') + 1)
      })
      answer.on('end', resolve).on('error', reject)
    })
    call.on('error', reject).end(body)
  })
}

/** Returns milliseconds of the clock that all processes on this machine share. */
function now(): number {
  return performance.timeOrigin + performance.now()
}

function delaysOf({ first, piece }: Samples): Delays {
  return { first: [at(first, 0.5), at(first, 0.95)], piece: [at(piece, 0.5), at(piece, 0.95)] }
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

interface Traffic {
  readonly name: string
  readonly gibibytes: number
  readonly seconds: number
  /** The peak memory of the process, and its memory before the traffic, in bytes. */
  readonly held: number
  readonly idle: number
}

interface Load {
  readonly name: string
  readonly calls: number
  readonly atOnce: number
  /** Mebibytes of each request and response. */
  readonly request: number
  readonly answer: number
}

const loads: readonly Load[] = [
  { name: 'one answer', calls: 1, atOnce: 1, request: 0, answer: 2048 },
  { name: '64 concurrent responses', calls: 64, atOnce: 64, request: 0, answer: 32 },
  { name: '64 concurrent requests', calls: 64, atOnce: 64, request: 32, answer: 0 },
  { name: 'sequential responses', calls: 256, atOnce: 1, request: 0, answer: 8 },
  { name: 'calls kept in memory', calls: 2048, atOnce: 8, request: 1, answer: 1 },
]

/** Measures the memory of the proxy under each load. */
export async function benchTraffic(): Promise<readonly Traffic[]> {
  const results: Traffic[] = []
  for (const { name, calls, atOnce, request: sent, answer } of loads) {
    const provider = await start('bulk', String(answer))
    const proxy = await start('proxy', provider.url)
    try {
      const { held: idle } = await proxy.report()
      const started = now()
      let begun = 0
      const worker = async () => {
        for (; begun < calls; ) {
          begun += 1
          await transfer(proxy.url, sent)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
      const { held } = await proxy.report()
      const seconds = (now() - started) / 1000
      results.push({ name, gibibytes: (calls * (sent + answer)) / 1024, seconds, held, idle })
    } finally {
      for (const { child } of [proxy, provider]) child.disconnect()
    }
  }
  return results
}

const message = Buffer.from('{"model":"m","messages":[{"role":"user","content":"')

/** Sends a request of this size and reads the whole response. */
function transfer(url: string, mebibytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/v1/chat/completions`, { method: 'POST', agent: false }, (answer) => {
      answer.resume().on('end', resolve).on('error', reject)
    })
    call.on('error', reject).write(message)
    const piece = Buffer.alloc(1 << 20, 'x')
    let left = mebibytes
    const more = () => {
      while (left > 0) {
        left -= 1
        if (!call.write(piece)) return void call.once('drain', more)
      }
      call.end('"}]}')
    }
    more()
  })
}
