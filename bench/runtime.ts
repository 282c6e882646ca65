/** Measures the overhead of the runtime with instant models and tools, and the loading of a large graph. */
import { type Agent, loadAgent } from '@joust/agentformat'
import { createRuntime, type RuntimeOptions } from '@joust/runtime'
import { type ScriptedTurn, scriptedModel } from '@joust/sim'
import { measureAsync } from './measure.ts'

/** Figures in seconds. */
interface RuntimeFigures {
  /** One `agf.react` step: a model call, a tool call and their events. */
  readonly step: number
  /** One `agf.sequential` delegation to an agent that answers immediately. */
  readonly delegation: number
  /** Loading and checking the whole graph. */
  readonly load: number
  readonly agents: number
}

const STEPS = 50
const MANAGERS = 14
const WORKERS = 185

export async function benchRuntime(seconds: number): Promise<RuntimeFigures> {
  const graph = makeGraph()
  const load = await measureAsync(async () => void (await loaded(graph)), seconds)
  return { step: await benchSteps(seconds), delegation: await benchDelegations(seconds), load, agents: graph.size }
}

/** Measures a run with many steps minus one without any, which excludes the fixed cost of a run. */
async function benchSteps(seconds: number): Promise<number> {
  const agent = await loaded(
    new Map([
      [
        'a',
        agentText(
          'agf.react',
          `instructions: Work., model: bench/model, max_steps: ${STEPS + 1}`,
          'local_tools: [{ alias: tool }]',
        ),
      ],
    ]),
  )
  const answer: ScriptedTurn = { text: 'done', usage: { input_tokens: 1, output_tokens: 1 } }
  const call: ScriptedTurn = {
    tool_calls: [{ name: 'tool', arguments: {} }],
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  const run = async (turns: readonly ScriptedTurn[]) => {
    const models = () => scriptedModel(turns)
    return measureAsync(() => runOnce(agent, { models, tools: { tool: { call: () => 'ok' } } }), seconds / 2)
  }
  const many = Array.from({ length: STEPS }, () => call)
  return ((await run([...many, answer])) - (await run([answer]))) / STEPS
}

async function benchDelegations(seconds: number): Promise<number> {
  const measured = async (delegations: number) => {
    const steps = Array.from({ length: delegations }, () => '{ agent: worker }')
    const entries = 'local_agents: [{ alias: worker, source: worker }]'
    const team = agentText('agf.sequential', `steps: [${steps.join(', ')}]`, entries)
    const agent = await loaded(
      new Map([
        ['a', team],
        ['worker', agentText('x-bench.instant', '')],
      ]),
    )
    const policies = { 'x-bench.instant': async () => 'done' }
    return measureAsync(() => runOnce(agent, { policies }), seconds / 2)
  }
  return ((await measured(STEPS + 1)) - (await measured(1))) / STEPS
}

async function runOnce(agent: Agent, options: RuntimeOptions): Promise<void> {
  const runtime = createRuntime({ ...options, env: {} })
  const result = await runtime.run(agent, 'input')
  await runtime.close()
  if (!result.ok) throw new Error(result.error.message)
}

/** Creates a graph with a root, managers below it, and workers that they share. */
function makeGraph(): ReadonlyMap<string, string> {
  const managers = Array.from({ length: MANAGERS }, (_, index) => `manager_${index}`)
  const workers = Array.from({ length: WORKERS }, (_, index) => `worker_${index}`)
  const team = (names: readonly string[]) => {
    const steps = names.map((name) => `{ agent: ${name} }`)
    const entries = names.map((name) => `{ alias: ${name}, source: ${name} }`)
    return agentText('agf.sequential', `steps: [${steps.join(', ')}]`, `local_agents: [${entries.join(', ')}]`)
  }
  return new Map([
    ['a', team(managers)],
    ...managers.map((name, index) => [name, team(workers.filter((_, at) => at % MANAGERS === index))] as const),
    ...workers.map((name) => [name, agentText('agf.react', 'instructions: Work., model: bench/model')] as const),
  ])
}

async function loaded(texts: ReadonlyMap<string, string>): Promise<Agent> {
  const result = await loadAgent('a', { read: async ({ source }) => texts.get(source) ?? '' })
  if (!result.ok) throw new Error(result.error.map(({ message }) => message).join('\n'))
  return result.value.agent
}

function agentText(policy: string, config: string, actions = ''): string {
  return `schema_version: 1.0.0
metadata: { id: bench, name: Bench, version: 1.0.0, description: Does nothing for long. }
interface: { input: { type: string }, output: { type: string } }
execution_policy: { id: ${policy}, config: { ${config} } }
action_space: { ${actions} }
`
}
