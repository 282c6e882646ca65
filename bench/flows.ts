/**
 * Measures the cost of data flows: judging a recorded trace, assessing it without flows, and assessing it while
 * tracking the values of its answers.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createAssessor, judge } from '@joust/arena'
import { createCelEvaluator, type LoadedAttack, load } from '@joust/oatf'
import { knownShapes, redactEntry, type TraceEntry } from '@joust/results'
import { readTrace, writeTrace } from '@joust/results/files'
import { processorTime } from './measure.ts'
import { Random } from './random.ts'

const ENTRIES = 100_000
/** Every tenth entry is an answer with a new value. */
const EACH = 10

type FlowWatch = ReturnType<NonNullable<Parameters<typeof createAssessor>[2]>>

const unwatched = (): FlowWatch => ({ take: () => [], all: () => [], isIncomplete: () => false })

/** Returns the processor seconds for one trace, the number of values, and the number of detected flows. */
export async function benchFlows(folder: string, rounds: number) {
  const file = join(folder, 'bench-flows.jsonl')
  const writer = writeTrace(file)
  const redactor = knownShapes()
  for (const entry of entriesOf()) writer.write(redactEntry(entry, redactor))
  await writer.close()
  const options = () => ({ cel: createCelEvaluator(), evaluationMs: 600_000 })
  const assess = async (watchFlows?: () => FlowWatch) => {
    const assessor = createAssessor(attack(), options(), watchFlows)
    for await (const items of readTrace(file).batches()) for (const item of items) await assessor.add(item)
    return (await assessor.finish()).flows?.length ?? 0
  }
  let flows = 0
  const works = {
    judge: async () => void (await judge(attack(), readTrace(file), options())),
    unwatched: async () => void (await assess(unwatched)),
    assess: async () => {
      flows = await assess()
    },
  }
  const times = {
    judge: Number.POSITIVE_INFINITY,
    unwatched: Number.POSITIVE_INFINITY,
    assess: Number.POSITIVE_INFINITY,
  }
  for (let round = 0; round < rounds; round++)
    for (const name of ['judge', 'unwatched', 'assess'] as const)
      times[name] = Math.min(times[name], await processorTime(works[name]))
  rmSync(file)
  return { ...times, entries: ENTRIES, values: ENTRIES / EACH, flows }
}

function* entriesOf(): Generator<TraceEntry> {
  const source = new Random(38)
  const random = () => source.next()
  const letters = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')
  const words = Array.from({ length: 20_000 }, () => letters(3 + Math.floor(random() * 7)))
  const sentence = () => Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(' ')
  let value = ''
  for (let seq = 1; seq <= ENTRIES; seq++) {
    const at = new Date(1_700_000_000_000 + seq).toISOString()
    const who = {
      actor: 'default',
      mode: 'mcp_server',
      protocol: 'mcp',
      phase: 'phase-1',
      surface: 'tools/call',
    } as const
    const base = { seq, at, elapsed_ms: seq, ...who }
    if (seq % EACH === 0) {
      value = `key-${letters(20)}`
      const content = { content: [{ type: 'text', text: `Record ${seq}: ${value} ${sentence()}` }] }
      yield { ...base, direction: 'response', flow: 'out', content }
    } else {
      const text = seq % 1000 === 1 ? `see ${value}` : `line ${seq}: ${sentence()}`
      yield { ...base, direction: 'request', flow: 'in', content: { name: 'post', arguments: { text, count: seq } } }
    }
  }
}

function attack(): LoadedAttack {
  const loaded = load(document)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value
}

const document = `
oatf: "0.1"
attack:
  id: BENCH-038
  execution:
    mode: mcp_server
    state: { tools: [{ name: post, description: Posts., inputSchema: { type: object } }] }
  indicators:
    - { surface: tools/call, target: arguments.text, pattern: { contains: the secret word } }
    - { surface: tools/call, target: arguments.text, pattern: { regex: "secret-[0-9]{4}" } }
`
