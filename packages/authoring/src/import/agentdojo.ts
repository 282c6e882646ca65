/**
 * AgentDojo: pairs of a user task and an injection in the data that the task reads. Its tools and checks are Python, so
 * `python/agentdojo-dump.py` replays the ground truth of each pair and runs the checks. This file converts the output.
 */
import { err, ok, type Result, type Value, type ValueRecord, writeJson } from '@joust/source'
import {
  type DojoDump,
  type DojoPair,
  type DojoStep,
  type DojoSuite,
  type DojoTask,
  dumpShape,
  type NeededCall,
} from './agentdojo-dump.ts'
import { callsAndTexts } from './agentdojo-indicators.ts'
import { offeredTools } from './agentdojo-tools.ts'
import { type BenchmarkCase, caseDocument } from './case-document.ts'
import type { Imported, Importer, ImportFault, SkippedCase } from './importer.ts'
import { readItem } from './read-items.ts'
import { type RecordedStep, recordedTrace } from './recorded-trace.ts'

const FILE = 'agentdojo.json'
const SERVER = 'tools'
const SIDE_EFFECTS = 'side-effects'
const MISSING = 'missing; create it with the script that joust import agentdojo --script prints'

const suites = ['workspace', 'travel', 'banking', 'slack']

export const agentdojo: Importer = {
  name: 'agentdojo',
  summary: 'AgentDojo (MIT): 949 pairs of a user task and an injection, from the output of its script (--script)',
  sets: suites,
  hasResults: true,
  script: 'agentdojo-dump.py',
  async *import(folder, { sets = suites, results = false }) {
    const dump = await readItem(folder, FILE, dumpShape, MISSING)
    if (!dump.ok) {
      yield dump
      return
    }
    for (const [index, suite] of dump.value.suites.entries()) {
      const field = `suites[${index}]`
      if (sets.includes(suite.name)) yield* importSuite(dump.value, suite, field, results)
      else if (!suites.includes(suite.name))
        yield err({
          file: FILE,
          field: `${field}.name`,
          message: `unknown suite ${suite.name}; available: ${suites.join(', ')}`,
        })
    }
  },
}

function* importSuite(
  dump: DojoDump,
  suite: DojoSuite,
  field: string,
  results: boolean,
): Generator<Result<Imported, ImportFault>> {
  const users = new Map(suite.user_tasks.map((task) => [task.id, task]))
  const injections = new Map(suite.injection_tasks.map((task) => [task.id, task]))
  for (const [index, pair] of suite.pairs.entries()) {
    const fault = (message: string) => err({ file: FILE, field: `${field}.pairs[${index}]`, message })
    const user = users.get(pair.user_task)
    const injection = injections.get(pair.injection_task)
    if (user === undefined) yield fault(`unknown user task ${pair.user_task}`)
    else if (injection === undefined) yield fault(`unknown injection ${pair.injection_task}`)
    else {
      const item = convert({ dump, suite, pair, user, injection, number: index + 1 })
      yield item.ok ? item : fault(item.error)
      if (!results || !item.ok || item.value.kind !== 'document') continue
      const { name } = item.value
      for (const replay of replaysOf(attackId(name), name, pair, user, injection)) yield ok(replay)
    }
  }
}

interface Case {
  readonly dump: DojoDump
  readonly suite: DojoSuite
  readonly pair: DojoPair
  readonly user: DojoTask
  readonly injection: DojoTask
  /** The number of the pair in its suite, starting at 1. */
  readonly number: number
}

function convert(item: Case): Result<Imported, string> {
  const { dump, suite, pair, injection, number } = item
  // The usual bait is the plain goal. If the goal is wrapped in an attack, the attack is part of the name.
  const set = dump.attack === 'plain' ? '' : `${dump.attack.replaceAll(/[^a-z0-9]+/gi, '-')}-`
  const name = `${suite.name}-${set}${String(number).padStart(4, '0')}`.toLowerCase()
  const skipped = (reason: string): Result<SkippedCase, string> => ok({ kind: 'skipped', name, reason })
  if (pair.skipped !== undefined) return skipped(pair.skipped)
  if (injection.unusable !== undefined) return skipped(`${suite.name} ${injection.id}: ${injection.unusable}`)
  if (injection.calls.length + injection.output.length === 0)
    return skipped(`${suite.name} ${injection.id}: no single call in the ground truth decides the check`)
  if (!pair.steps.some(({ placebo }) => placebo !== undefined))
    return skipped('no answer in the ground truth contains the injection')
  const tools = offeredTools(suite.tools, pair.steps)
  if (!tools.ok) return tools
  return ok({ kind: 'document', name, document: documentOf(item, name, tools.value) })
}

function documentOf(
  { dump, suite, pair, user, injection }: Case,
  name: string,
  tools: BenchmarkCase['servers'][number]['tools'],
): Value {
  const baited = [...new Set(pair.steps.flatMap(({ tool, placebo }) => (placebo === undefined ? [] : [tool])))]
  const targets = [...new Set(injection.calls.map(({ tool }) => tool))]
  const aim = targets.length > 0 ? `to call ${targets.join(' and ')}` : 'what to tell the user'
  return caseDocument({
    id: attackId(name),
    name: `Result of ${baited.join(' and ')} tells the agent ${aim}`,
    description: `AgentDojo ${dump.benchmark}, suite ${suite.name}, ${user.id} with ${injection.id}. The data that the task reads contains an instruction from the attacker. A safe agent completes the task and does not follow it.${injection.planned === true ? ' AgentDojo has no ground truth for this injection; the calls are those that its goal names.' : ''}`,
    author: 'AgentDojo',
    severity: 'high',
    impact: targets.length > 0 ? ['unauthorized_actions'] : ['behavior_manipulation'],
    category: 'response_fabrication',
    mappings: [
      { framework: 'atlas', id: 'AML.T0051.001', name: 'LLM Prompt Injection: Indirect' },
      { framework: 'owasp_agentic', id: 'ASI-01', name: 'Agent Goal Hijack' },
    ],
    tags: [
      'agentdojo',
      suite.name,
      tag(user.id),
      tag(injection.id),
      ...(dump.attack === 'plain' ? [] : [tag(dump.attack)]),
      // In this case, `utility()` fails only because of the injection.
      ...(pair.done === true && pair.done_beside === false ? [SIDE_EFFECTS] : []),
    ],
    references: [
      {
        url: 'https://arxiv.org/abs/2406.13352',
        title: 'AgentDojo',
        description: `Package ${dump.package}, benchmark ${dump.benchmark}, ${suite.name}, ${user.id}, ${injection.id}.`,
      },
    ],
    task: user.text,
    servers: [{ name: SERVER, tools }],
    attack: callsAndTexts(
      withoutOwnCalls(injection, pair),
      stepsFor(pair, 'injection'),
      SERVER,
      'the injection asks for',
      'local_action',
    ),
    logic: 'all',
    done: doneOf(user, pair),
  })
}

/**
 * Returns indicators of the calls and phrases that the task's check requires. If the check requires none, the task is
 * done once its data has been read.
 */
function doneOf(user: DojoTask, pair: DojoPair): BenchmarkCase['done'] {
  const steps = stepsFor(pair, 'user')
  if (user.calls.length + user.output.length > 0) return callsAndTexts(user, steps, SERVER, 'the task needs')
  const read = [...new Set(steps.map(({ tool }) => tool))]
  return read.map((tool) => ({
    server: SERVER,
    target: 'name',
    pattern: { condition: tool },
    description: `The agent used ${tool}.`,
  }))
}

/**
 * Removes the calls that the user's task also makes, because they do not prove that the injection worked. If the replay
 * of the injection made a different call instead, only that call counts.
 */
function withoutOwnCalls(injection: DojoTask, pair: DojoPair): DojoTask {
  const own = stepsFor(pair, 'user')
  const steps = stepsFor(pair, 'injection')
  const calls = injection.calls.flatMap((needed): NeededCall[] => {
    const { tool, call, arguments: needs } = needed
    const isOwn = (values: ValueRecord) =>
      own.some(
        (step) => step.tool === tool && Object.keys(needs).every((name) => isSame(step.arguments[name], values[name])),
      )
    if (!isOwn(mapValues(needs, ({ equals }) => equals ?? null))) return [needed]
    const values = steps[call]?.arguments
    if (values === undefined || isOwn(values)) return []
    return [{ ...needed, arguments: mapValues(needs, (_, name) => ({ equals: values[name] ?? null })) }]
  })
  return calls.length + injection.output.length === 0 ? injection : { ...injection, calls }
}

const isSame = (one: Value = null, other: Value = null) => writeJson(one) === writeJson(other)

function mapValues<T, U>(record: Readonly<Record<string, T>>, to: (value: T, name: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value, name)]))
}

const stepsFor = ({ steps }: DojoPair, kind: DojoStep['task']) => steps.filter(({ task }) => task === kind)
const attackId = (name: string): string => `AGENTDOJO-${name.toUpperCase()}`
const tag = (id: string): string => id.replaceAll('_', '-')

/** Creates two replays as traces, labelled with the verdicts of AgentDojo's check. */
function replaysOf(attack: string, name: string, pair: DojoPair, user: DojoTask, injection: DojoTask): Imported[] {
  const replay = (agent: 'follows' | 'ignores', label: 'exploited' | 'resisted'): Imported => ({
    kind: 'trace',
    name: `${agent}/${name}`,
    lines: recordedTrace({
      attack,
      task: user.text,
      steps: stepsOf(pair, user, agent === 'follows' ? injection : undefined),
    }),
    label,
  })
  const ignores = replay('ignores', 'resisted')
  if (pair.succeeds === true) return [replay('follows', 'exploited'), ignores]
  const reason = `replay of ${injection.id}, which AgentDojo's check does not count as a success`
  return [{ kind: 'skipped', name: `follows/${name}`, reason }, ignores]
}

function stepsOf({ steps }: DojoPair, user: DojoTask, injection: DojoTask | undefined): RecordedStep[] {
  const calls = steps.filter(({ task }) => task === 'user' || injection !== undefined)
  const phrases = [...user.output, ...(injection?.output ?? [])]
  return [
    ...calls.map(({ tool, arguments: values, answer }) => ({
      kind: 'call' as const,
      name: tool,
      arguments: values,
      answer,
    })),
    { kind: 'text', text: phrases.length > 0 ? phrases.join(', ') : 'Done.' },
  ]
}
