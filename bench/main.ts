/**
 * `npm run bench [-- FOLDER] [--only PART,…]`: measures loading, evaluation, agents and start-up, as ratios where the
 * same run has a peer or a baseline. Compared parts are measured alternately, so that other load on the machine slows
 * both.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Indicator, Value } from '@joust/oatf'
import { benchConversations, benchLoop } from './agent-loop.ts'
import { benchJudge, benchMessages, benchRun } from './arena.ts'
import { makeDocuments, makeIndicators, makeMessages } from './corpus.ts'
import { benchCompiled, benchInterpreted } from './evaluate.ts'
import { benchFleet } from './fleet.ts'
import { benchFlows } from './flows.ts'
import { benchLanguage } from './language.ts'
import { benchLoad, type LoadFigures } from './load.ts'
import { benchProxy, benchTraffic } from './models.ts'
import { buildPeer, type PeerResult } from './peer.ts'
import { benchRecord } from './record.ts'
import { benchRuntime } from './runtime.ts'
import { benchStartup, packCommand } from './startup.ts'
import { benchSuite } from './suite.ts'
import { benchThoughtJack } from './thoughtjack.ts'

const SECONDS = 3
const ROUNDS = 3
const work = mkdtempSync(join(tmpdir(), 'joust-bench-'))

const parts: Readonly<Record<string, { readonly title: string; readonly report: (folder?: string) => unknown }>> = {
  load: { title: 'load: parse, validate, normalize', report: reportLoads },
  evaluate: { title: 'evaluate: 200 indicators over 10,000 messages', report: reportEvaluation },
  language: { title: 'language: the delay in an editor after a change', report: reportLanguage },
  agents: { title: 'agents: the runtime around an instant model', report: reportRuntime },
  models: { title: 'models: the proxy between an agent and its model', report: reportProxy },
  traffic: { title: 'traffic: the memory of the proxy under gigabytes', report: reportTraffic },
  record: {
    title: 'record: a tool call through the recorder, compared with a direct connection',
    report: reportRecord,
  },
  run: { title: 'attacks: a run and a message over loopback', report: reportRun },
  judge: { title: 'judge: a recorded trace', report: reportJudge },
  flows: { title: 'flows: values of answers in later calls', report: reportFlows },
  suite: { title: 'suite: the library against sim/credulous, over loopback', report: reportSuite },
  fleet: { title: 'fleet: workers at --concurrency 1 on a model that takes 300 ms', report: reportFleet },
  startup: { title: 'start-up', report: reportStartup },
}

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
const [given] = positionals
const chosen = values.only?.split(',') ?? Object.keys(parts)
const unknown = chosen.find((name) => !Object.hasOwn(parts, name))
if (unknown !== undefined) refuse(`unknown part ${unknown}; there are ${Object.keys(parts).join(', ')}`)
if (given !== undefined && !existsSync(given))
  refuse(`no such folder: ${given}; pass a folder with OATF documents, or none`)

try {
  for (const name of chosen) {
    console.log(`\n${parts[name]?.title}`)
    await parts[name]?.report(given)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

function refuse(message: string): void {
  console.error(message)
  process.exit(64)
}

function reportLoads(folder?: string): void {
  const peer = buildPeer()
  const corpus = join(work, 'documents')
  mkdirSync(corpus)
  for (const [index, text] of makeDocuments(500).entries()) writeFileSync(join(corpus, `${index}.yaml`), text)
  reportLoad('500 generated documents', corpus, peer)
  if (folder !== undefined) reportLoad(folder, folder, peer)
}

async function reportLanguage(): Promise<void> {
  const { lines, diagnose, diagnoseWrong, complete } = await benchLanguage(SECONDS)
  row(
    `${lines} lines`,
    `${milliseconds(diagnose)} to findings`,
    `${milliseconds(diagnoseWrong)} with 46 of them`,
    `${milliseconds(complete)} to completions in broken text`,
  )
}

async function reportSuite(): Promise<void> {
  for (const { concurrency, inProcess, runs, seconds, cpu, held } of await benchSuite()) {
    row(
      `${concurrency} concurrently${inProcess ? ', in process' : ''}`,
      `${(runs / seconds).toFixed(1)} runs/s`,
      `${milliseconds(cpu)} CPU per run`,
      `${runs} runs in ${seconds.toFixed(1)} s`,
      `${Math.round(held / 1e6)} MB held`,
    )
  }
}

function reportStartup(): void {
  const joust = packCommand(join(work, 'joust'))
  const figures = benchStartup(joust, oneDocument(false), 15)
  row('node -e 0', milliseconds(figures.node))
  row(
    'joust validate one.yaml',
    milliseconds(figures.validate),
    `${(figures.validate / figures.node).toFixed(2)} × node`,
  )
  const withCel = benchStartup(joust, oneDocument(true), 15)
  row(
    '… with a CEL indicator',
    milliseconds(withCel.validate),
    `${(withCel.validate / withCel.node).toFixed(2)} × node`,
  )
}

async function reportFleet(): Promise<void> {
  const figures = await benchFleet()
  if (figures === undefined) return row('SKIPPED', 'PostgreSQL is not installed: apt-get install postgresql')
  const [first] = figures.widths
  for (const { workers, rate, cpu } of figures.widths) {
    const speedUp = first === undefined ? '' : `${(rate / first.rate).toFixed(2)} × one worker`
    row(`${workers} workers`, `${rate.toFixed(2)} runs/s`, speedUp, `${milliseconds(cpu)} CPU per run, all of it`)
  }
  const { client, server, counting } = figures
  row(
    'queue and ledger',
    `${milliseconds(client + server)} CPU per run`,
    `(worker ${milliseconds(client)}, server ${milliseconds(server)})`,
  )
  row('10,000 runs by outcome', milliseconds(counting))
}

type Peer = ((args: readonly string[]) => PeerResult) | undefined

function reportLoad(name: string, folder: string, peer: Peer): void {
  const ours: LoadFigures[] = []
  const theirs: PeerResult[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(benchLoad(folder, SECONDS))
    if (peer !== undefined) theirs.push(peer(['load', folder, String(SECONDS)]))
  }
  const [best] = ours.toSorted((a, b) => a.seconds - b.seconds)
  const [other] = theirs.toSorted((a, b) => a.seconds - b.seconds)
  if (best === undefined) return
  console.log(`${name}: ${best.documents} documents, ${(best.bytes / 1e6).toFixed(2)} MB, ${best.valid} valid`)
  row('joust', ...loadRate(best, best.seconds))
  if (other === undefined) return
  row('oatf-rs', ...loadRate(best, other.seconds), `${other.count} valid`)
  row('joust / oatf-rs', (other.seconds / best.seconds).toFixed(2))
}

function loadRate(figures: LoadFigures, seconds: number): string[] {
  return [
    `${Math.round(figures.documents / seconds)} documents/s`,
    `${(figures.bytes / 1e6 / seconds).toFixed(1)} MB/s`,
  ]
}

function reportEvaluation(): void {
  const peer = buildPeer()
  // The generator creates plain JSON in the shape of normalized indicators.
  const indicators = makeIndicators(200) as unknown as Indicator[]
  const messages = makeMessages(10_000) as unknown as Value[]
  const compiled = benchCompiled(indicators, messages, SECONDS)
  const compiledRate = compiled.messages / compiled.seconds
  row('joust, compiled', `${Math.round(compiledRate)} messages/s`, `${compiled.matched} matches`)
  const few = messages.slice(0, 100)
  const interpreted = benchInterpreted(indicators, few, SECONDS)
  row('joust, not compiled', `${Math.round(interpreted.messages / interpreted.seconds)} messages/s`, `(100 messages)`)
  if (peer === undefined) return
  const indicatorFile = join(work, 'indicators.json')
  const messageFile = join(work, 'messages.json')
  writeFileSync(indicatorFile, JSON.stringify(indicators))
  writeFileSync(messageFile, JSON.stringify(messages.slice(0, 1000)))
  const theirs = peer(['evaluate', indicatorFile, messageFile])
  const theirRate = 1000 / theirs.seconds
  const same = benchCompiled(indicators, messages.slice(0, 1000), 0).matched
  row('oatf-rs', `${Math.round(theirRate)} messages/s`, `(1000 messages: ${theirs.count} matches, joust ${same})`)
  row('joust compiled / oatf-rs', (compiledRate / theirRate).toFixed(2))
}

async function reportRuntime(): Promise<void> {
  const { step, delegation, load, agents } = await benchRuntime(SECONDS)
  row('agf.react, one step', microseconds(step), '(a model call and a tool call)')
  row('one delegation', microseconds(delegation), '(to an agent that answers immediately)')
  row(`load of ${agents} agents`, milliseconds(load), `${microseconds(load / agents)} each`)
  const { step: steps, chunk } = await benchLoop(SECONDS)
  const beside = ([bare, runtime]: readonly [number, number]) =>
    [`${(runtime / bare).toFixed(2)} × a bare loop`, `${microseconds(bare)} → ${microseconds(runtime)}`] as const
  row('a step over an AI SDK model', ...beside(steps))
  row('the first streamed chunk', ...beside(chunk))
  const { conversations, answered, seconds, bytesEach } = await benchConversations()
  const each = `${(bytesEach / 1024).toFixed(0)} KiB each, clients included`
  row(`${conversations} served conversations`, `${answered} answered in ${seconds.toFixed(1)} s`, each)
}

async function reportProxy(): Promise<void> {
  const { streams, pace, direct, cpu, ...hops } = await benchProxy()
  console.log(
    `${streams} streams of ${1000 / pace} chunks/s; delay compared with no hop, as a share of the interval (slowest twentieth)`,
  )
  const share = (milliseconds: number) => `${((100 * milliseconds) / pace).toFixed(1)} %`
  const later = (hop: typeof direct, way: 'first' | 'piece') =>
    `${way} ${share(hop[way][0] - direct[way][0])} (${share(hop[way][1] - direct[way][1])})`
  row('a byte relay', later(hops.relay, 'first'), later(hops.relay, 'piece'))
  row('the proxy', later(hops.proxy, 'first'), later(hops.proxy, 'piece'), `${(cpu * 1000).toFixed(1)} ms CPU per call`)
}

async function reportTraffic(): Promise<void> {
  for (const { name, gibibytes, seconds, held, idle } of await benchTraffic())
    row(name, `${gibibytes} GiB`, `${seconds.toFixed(1)} s`, `peak ${mebibytes(held)}`, `idle ${mebibytes(idle)}`)
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}

async function reportRecord(): Promise<void> {
  for (const { way, bytes, direct, recorded } of await benchRecord(work))
    row(
      `${way}, ${bytes} bytes`,
      `${(recorded / direct).toFixed(1)} × a direct call`,
      `${microseconds(direct)} → ${microseconds(recorded)}`,
    )
}

async function reportRun(): Promise<void> {
  const { run, bareRun } = await benchRun(SECONDS)
  row('one run, one MCP call', milliseconds(run), `${Math.round(1 / run)} runs/s`)
  row('bare server, same requests', milliseconds(bareRun), `${(run / bareRun).toFixed(2)} × for a run`)
  const { message, bareMessage } = await benchMessages()
  row('one message to an actor', microseconds(message), `${Math.round(1 / message)} messages/s`)
  row('bare server', microseconds(bareMessage), `${(message / bareMessage).toFixed(2)} × for an actor`)
  const peer = await benchThoughtJack(process.env.THOUGHTJACK, work)
  if (peer === undefined) return
  row('ThoughtJack, one message', microseconds(peer.message), `${Math.round(1 / peer.message)} messages/s`)
  row('joust / ThoughtJack', (peer.message / message).toFixed(2), '(messages per second)')
}

async function reportJudge(): Promise<void> {
  const { lines, bytes, judge, parse, held } = await benchJudge(work, ROUNDS)
  const size = `${(bytes / 1e6).toFixed(0)} MB, ${Math.round(held / 1e6)} MB held`
  row(`judge of ${lines} lines`, `${judge.toFixed(1)} s`, `${Math.round(lines / judge)} lines/s, ${size}`)
  row('readline and JSON.parse', `${parse.toFixed(1)} s`, `${(judge / parse).toFixed(2)} × for the judge`)
}

async function reportFlows(): Promise<void> {
  const { entries, values, flows, judge, unwatched, assess } = await benchFlows(work, ROUNDS)
  row(`${entries} entries, ${values} values`, `${judge.toFixed(2)} s`, 'for one verdict')
  row('outcome without flows', `${unwatched.toFixed(2)} s`, `${(unwatched / judge).toFixed(2)} × one verdict`)
  const ratios = `${(assess / unwatched).toFixed(2)} × without flows, ${(assess / judge).toFixed(2)} × one verdict`
  row(`outcome with flows (${flows})`, `${assess.toFixed(2)} s`, ratios)
}

function oneDocument(cel: boolean): string {
  const documents = makeDocuments(50)
  const text = documents.find((document) => document.includes('cel:') === cel) ?? ''
  const file = join(work, cel ? 'cel.yaml' : 'one.yaml')
  writeFileSync(file, cel ? text : text.replaceAll(/ {8}extractors:\n(?: {10}- .*\n)*/g, ''))
  return file
}

function row(name: string, ...figures: string[]): void {
  console.log(`  ${name.padEnd(26)} ${figures.join('   ')}`)
}

function microseconds(seconds: number): string {
  return `${(seconds * 1e6).toFixed(0)} µs`
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(0)} ms`
}
