/** All functions that read untrusted text: documents, agents, results and other files. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Agent, loadAgent, parseAgent } from '@joust/agentformat'
import { createAssessor } from '@joust/arena'
import { ModelsError, openRunRecording } from '@joust/models'
import { type LoadedAttack, lint, load, normalize, parse, serialize, translateDialects, validate } from '@joust/oatf'
import { reportFormats } from '@joust/report/formats'
import { readResults, type TraceEnding } from '@joust/results'
import { loadResults, openTrace, readTrace } from '@joust/results/files'
import { createRuntime, loadBindings } from '@joust/runtime'
import { readScript } from '@joust/sim'
import { formatText, patchText, putFirst, readJson, readSource } from '@joust/source'
import { openSuiteFolder } from '@joust/trials'
import { repositoryRoot } from '../repository.ts'

const root = repositoryRoot()

/** Reads a text. `folder` is for its exclusive use. */
export type Reader = (text: string, folder: string) => unknown

const ATTACK = loadSeed('attack.yaml')
const TRACE = readFileSync(join(root, 'scripts/fuzz/corpus/trace.jsonl'), 'utf8')

function loadSeed(name: string): LoadedAttack {
  const loaded = load(readFileSync(join(root, 'scripts/fuzz/corpus', name), 'utf8'))
  if (loaded.ok) return loaded.value
  throw new Error(`cannot load ${name} of the fuzzer: ${JSON.stringify(loaded.error)}`)
}

/** An agent that calls its model and its tool, so that the journal has a line for each. */
const CLERK = `schema_version: 1.0.0
metadata: { id: clerk, name: Clerk, version: 1.0.0, description: Notes things. }
interface: { input: { type: string }, output: { type: string } }
execution_policy: { id: agf.react, config: { model: sim/credulous, instructions: Note what you are told., max_steps: 3 } }
constraints: { budget: { max_duration_seconds: 5 }, limits: { max_llm_calls: 3, max_tool_calls: 2 } }
action_space: { local_tools: [{ alias: note, description: Notes a text. }] }
`

async function loadClerk(): Promise<Agent> {
  const loaded = await loadAgent('clerk.agf.yaml', { read: async () => CLERK })
  if (loaded.ok) return loaded.value.agent
  throw new Error(`cannot load the fuzzer's agent: ${JSON.stringify(loaded.error)}`)
}

const clerk = await loadClerk()

/** Runs the agent from a journal. An error in the journal may end the run, but must not throw. */
export async function runFrom(file: string): ReturnType<ReturnType<typeof createRuntime>['run']> {
  const runtime = createRuntime({ tools: { note: async () => 'noted' } })
  try {
    return await runtime.run(clerk, 'Please use the tool note.', { journal: { file } })
  } finally {
    await runtime.close()
  }
}

export const readers: Readonly<Record<string, Reader>> = {
  source: (text) => [readSource(text), readJson(text)],
  oatf(text) {
    const parsed = parse(text)
    if (!parsed.ok) return
    validate(parsed.value)
    lint(parsed.value)
    return [serialize(parsed.value), serialize(normalize(parsed.value))]
  },
  async judge(text) {
    const loaded = load(text)
    return loaded.ok && judged(loaded.value, TRACE)
  },
  agent: (text) => parseAgent(text),
  dialects(text) {
    const source = readSource(text)
    return source.ok && translateDialects(source.value.value)
  },
  fmt: (text) => formatText(text),
  first: (text) => putFirst(text, 'attack'),
  patch: (text) => patchText(text, { oatf: '0.1', attack: { name: 'x', list: [1, 'two', { three: 3 }] } }),
  results,
  script: (text) => readScript(text),
  trace: (text) => judged(ATTACK, text),
  async journal(text, folder) {
    writeFileSync(join(folder, 'journal.jsonl'), text)
    await openSuiteFolder(folder, { resume: true })
  },
  runJournal(text, folder) {
    writeFileSync(join(folder, 'run.journal'), text)
    return runFrom(join(folder, 'run.journal'))
  },
  async project(text, folder) {
    writeFileSync(join(folder, 'joust.yaml'), text)
    return loadBindings(join(folder, 'joust.yaml'), { environment: {}, loadsCode: () => false })
  },
  recording,
}

async function judged(attack: LoadedAttack, trace: string): Promise<void> {
  const judge = createAssessor(attack)
  let last: TraceEnding | undefined
  const options = { document: attack.document, onEnding: (ending: TraceEnding) => (last = ending) }
  for await (const item of readTrace(pieces(trace), options)) await judge.add(item)
  await judge.finish(last)
}

async function results(text: string, folder: string): Promise<void> {
  if (!readResults(text).ok) return
  writeFileSync(join(folder, 'results.json'), text)
  const loaded = await loadResults(folder)
  if (!loaded.ok) throw new Error('readResults accepts a text that loadResults rejects')
  for (const { render } of Object.values(reportFormats))
    await render([loaded.value.results], (trace) => openTrace(folder, trace))
}

/** Replays a recording. A missing or broken recording is a `ModelsError`. */
async function recording(text: string, folder: string): Promise<void> {
  const path = join(folder, 'recording.jsonl')
  writeFileSync(path, text)
  try {
    const replay = openRunRecording(path, 'replay', { attack: 'a.oatf.yaml', trial: 1 })
    const url = 'http://replay.invalid/v1/chat/completions'
    await (await replay.fetch(url, { method: 'POST', body: '{}' })).text()
  } catch (thrown) {
    if (!(thrown instanceof ModelsError)) throw thrown
  }
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 971) yield bytes.slice(at, at + 971)
}

/** Reads the corpus: our documents, messages, and inputs of earlier errors. */
export function readCorpus(...places: readonly string[]): string[] {
  return places.flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ya?ml|jsonl?|txt)$/.test(name))
      .sort()
      .map((name) => readFileSync(join(root, place, name), 'utf8')),
  )
}
