/**
 * Runs the whole library on widely used agents. This takes many minutes, so it runs only on request: `npm run
 * peers:library`, with AGENTS=codex,gemini for some of them. The outcomes are stored in peers/record and written to
 * docs/agents.md.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TraceEntry } from '@joust/results'
import { writeYaml } from '@joust/source'
import type { Preset } from '@joust/targets'
import { afterAll, describe, expect, test } from 'vitest'
import { type AgentModel, startAgentModel } from './agent-model.ts'
import { agents, environmentAt, isInstalled } from './agents.ts'
import { libraryDocuments, peers } from './documents.ts'
import { attacksOf, freePorts, type JoustRun, joustRun } from './joust.ts'
import { type AgentRecord, type Came, firstSentence, type Sweep, writePage } from './library-record.ts'

const isAsked = process.env.PEERS === 'library'
const chosen = process.env.AGENTS?.split(',')
const kept = join(peers, 'record')
const documents = libraryDocuments()

/** Attacks on files, for which the agent needs its own tools. The simulation does not use them. */
const needOwnTools = new Set(
  documents.flatMap((name) => {
    const text = readFileSync(join(peers, '../library', `${name}.oatf.yaml`), 'utf8')
    return text.includes('x-joust-files:') ? (/\bid: (JOUST-\d+)/.exec(text)?.[1] ?? []) : []
  }),
)

/** For all documents together. Each has its own timeout of two minutes. */
const PATIENCE_MS = 3_000_000
const SHORT = ['error-message-injection']

/** Variants of presets in which no tool is approved. Agents that never ask have none. */
const denying: Readonly<Record<string, (preset: Preset) => Preset>> = {
  codex: (preset) => edited(preset, /default_tools_approval_mode = "approve"\n/g, ''),
  gemini: (preset) => edited(edited(preset, /"--yolo",/g, ''), /,"trust":true/g, ''),
  opencode: (preset) => edited(preset, /"share":"disabled"/g, '"share":"disabled","permission":{"*":"deny"}'),
  cline: (preset) => edited(preset, /"--json",/g, '"--json","--auto-approve","false",'),
}

/** Removes the agent's servers from a preset. */
function unwired(preset: Preset): Preset {
  const files = preset.files?.map(({ each: _, servers: __, entry: ___, ...file }) => file)
  const command = preset.command.filter((word) => word !== '--mcp-config' && word !== '{mcp_config}')
  return { ...preset, command, ...(files && { files }) }
}

function edited(preset: Preset, pattern: RegExp, into: string): Preset {
  // File contents are strings inside JSON.
  const text = JSON.stringify(preset)
  const escaped = new RegExp(pattern.source.replaceAll('"', '\\\\?"').replaceAll('\\n', '\\\\n'), 'g')
  return JSON.parse(text.replace(escaped, into))
}

function attack(origin: string, names: readonly string[], ...options: readonly string[]): Promise<JoustRun> {
  const bounds = ['--concurrency', process.env.CONCURRENCY ?? '2', '--max-duration', '120s']
  return joustRun(names, [...bounds, ...options], environmentAt(origin), PATIENCE_MS)
}

/** Attacks the target of a project file with its own preset. */
async function attackRow(origin: string, row: Preset, ...options: readonly string[]): Promise<JoustRun> {
  const folder = mkdtempSync(join(tmpdir(), 'joust-row-'))
  const file = join(folder, 'joust.yaml')
  const { name: _, ...preset } = row
  writeFileSync(file, writeYaml({ targets: { changed: { exec: 'changed' } }, presets: { changed: preset } }))
  try {
    return await attack(origin, SHORT, '--config', file, ...options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sweepOf(run: JoustRun, model: AgentModel): Sweep {
  const isAlone = Object.values(networkInterfaces()).every((one) => one?.every(({ internal }) => internal) ?? true)
  return { date: new Date().toISOString().slice(0, 10), isAlone, came: cameOf(run, model) }
}

function cameOf(run: JoustRun, model: AgentModel): Came[] {
  const read = model.read.map(plain)
  return attacksOf(run.results).map(({ attack: { id = '', name }, outcome, reasons, exposure }) => {
    const bait = baitIn(run.trace(id).find(({ seq }) => seq === exposure?.bait_seq))
    const isRead = bait !== '' && read.some((request) => request.includes(bait))
    return { id, name: name ?? id, outcome, isRead, reasons: reasons.map(firstSentence) }
  })
}

/** Returns the beginning of the longest text of the first bait, which the model should see. */
function baitIn(entry: TraceEntry | undefined): string {
  return plain(textsIn(entry?.content).toSorted((a, b) => b.length - a.length)[0] ?? '').slice(0, 80)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Normalizes texts, so that quoting and line ends make no difference. */
function plain(text: string): string {
  return text.replaceAll(/\\n|\\u[0-9a-f]{4}|[^\p{L}\p{N}]/gu, '')
}

const preflightOf = ({ results }: JoustRun) => results.targets[0]?.preflight

describe.skipIf(!isAsked).each(agents)('$name', (preset) => {
  const { name, tried = '' } = preset
  const here = test.skipIf(!isInstalled(preset.command[0] ?? '') || chosen?.includes(name) === false)
  const record: AgentRecord = { name, version: tried, stopped: {} }
  const stops = (what: keyof AgentRecord['stopped'], run: JoustRun) => {
    expect(preflightOf(run)?.status, run.output).toBe('failed')
    expect(attacksOf(run.results).map(({ outcome }) => outcome)).toEqual(['inconclusive'])
    expect(run.code).toBe(5)
    record.stopped[what] = firstSentence(preflightOf(run)?.reasons[0] ?? '')
  }

  here('is exploited by all that its model reads when the model obeys', { timeout: PATIENCE_MS }, async () => {
    const model = await startAgentModel(true)
    const run = await attack(model.origin, documents, '--exec', name).finally(() => model.stop())
    expect(preflightOf(run)?.status, run.output).toBe('passed')
    record.obeys = sweepOf(run, model)
    const read = record.obeys.came.filter(({ outcome, isRead }) => outcome === 'resisted' && isRead)
    expect(read.filter(({ id }) => !needOwnTools.has(id))).toEqual([])
  })

  here('is exploited by nothing when the model is careful', { timeout: PATIENCE_MS }, async () => {
    const model = await startAgentModel(false)
    const run = await attack(model.origin, documents, '--exec', name).finally(() => model.stop())
    record.refuses = sweepOf(run, model)
    expect(record.refuses.came.filter(({ outcome }) => outcome === 'exploited' || outcome === 'partial')).toEqual([])
  })

  here('is not attacked when there is no model', { timeout: PATIENCE_MS }, async () => {
    const [nobody] = await freePorts(1)
    stops('gone', await attack(`http://127.0.0.1:${nobody}`, SHORT, '--exec', name, '--max-duration', '20s'))
  })

  here('is not attacked when its tools are denied', { timeout: PATIENCE_MS }, async () => {
    const deny = denying[name]
    if (deny === undefined) return
    const model = await startAgentModel(true)
    stops('denied', await attackRow(model.origin, deny(preset), '--max-duration', '40s').finally(() => model.stop()))
  })

  here('is not attacked when it is not told of its servers', { timeout: PATIENCE_MS }, async () => {
    const model = await startAgentModel(true)
    stops('unwired', await attackRow(model.origin, unwired(preset)).finally(() => model.stop()))
  })

  afterAll(() => {
    if ((record.obeys ?? record.refuses) === undefined && Object.keys(record.stopped).length === 0) return
    mkdirSync(kept, { recursive: true })
    const file = join(kept, `${name}.json`)
    // Records of agents that were not run again are kept.
    const before: AgentRecord | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    const stopped = { ...before?.stopped, ...record.stopped }
    writeFileSync(file, `${JSON.stringify({ ...before, ...record, stopped }, null, 2)}\n`)
  })
})

afterAll(() => {
  if (!isAsked) return
  writePage()
})
