/** Limits in whole runs. */
import { describe, expect, it } from 'vitest'
import { leaf, makeAgent } from './support/agents.ts'
import { fakeClock } from './support/clock.ts'
import { react, scripts } from './support/react.ts'
import { errorOf, outputOf, run } from './support/run.ts'

const call = (name: string, args = {}) => ({ tool_calls: [{ name, arguments: args }] })
const usage = (input_tokens: number, output_tokens: number) => ({ usage: { input_tokens, output_tokens } })
const tool = (alias: string) => ({ local_tools: [{ alias }] })
const tools = { look: { call: () => 'seen' } }

describe('R-24, R-36: limits of a run', () => {
  it('OPEN-38: a model call that cannot start is not started, and the run ends without output', async () => {
    const agent = react('m', { action_space: tool('look'), constraints: { limits: { max_llm_calls: 1 } } })
    const models = scripts({ m: [call('look'), { text: 'too late' }] })
    const { error, events } = await run(agent, 'go', { models, tools })
    expect(error).toMatchObject({
      code: 'limit_exceeded',
      agent: [],
      details: { limit: 'constraints.limits.max_llm_calls', max: 1, used: 1 },
    })
    expect(events.filter((event) => event.type === 'model-called')).toHaveLength(1)
    expect(events.filter((event) => event.type === 'limit-reached')).toHaveLength(1)
  })

  it('OPEN-38: react may make its closing call after the limit of tool calls', async () => {
    const agent = react('m', { action_space: tool('look'), constraints: { limits: { max_tool_calls: 1 } } })
    const models = scripts({ m: [call('look'), call('look'), { text: 'done' }] })
    const { result } = await run(agent, 'go', { models, tools })
    expect(result).toMatchObject({ output: 'done', usage: { toolCalls: 1, modelCalls: 3 } })
  })

  it('tokens of all agents count against the root', async () => {
    const parallel = (constraints: object) =>
      makeAgent({
        constraints,
        policy: { id: 'agf.sequential', config: { steps: [{ agent: 'a' }, { agent: 'b' }] } },
        agents: { a: react('a'), b: react('b') },
      })
    const models = () => scripts({ a: [{ text: 'A', ...usage(60, 1) }], b: [{ text: 'B', ...usage(60, 1) }] })
    expect(await outputOf(parallel({ budget: { max_token_usage: 122 } }), 'go', { models: models() })).toBe('B')
    const error = await errorOf(parallel({ budget: { max_token_usage: 121 } }), 'go', { models: models() })
    expect(error).toMatchObject({ code: 'limit_exceeded', agent: [], details: { used: 122, max: 121, at: ['b'] } })
  })

  it("a sub-agent's own limit is its failure, with its path", async () => {
    const child = react('a', { constraints: { limits: { max_llm_calls: 0 } } })
    const agent = makeAgent({
      policy: { id: 'agf.sequential', config: { steps: [{ agent: 'a' }] } },
      agents: { a: child },
    })
    const error = await errorOf(agent, 'go', { models: scripts({ a: [{ text: 'A' }] }) })
    expect(error).toMatchObject({ code: 'agent_failed', cause: { code: 'limit_exceeded', agent: ['a'] } })
  })

  it('the deadline stops all running work', async () => {
    const time = fakeClock()
    const stopped: string[] = []
    let running = 0
    const patient = (name: string) =>
      leaf(({ signal }) => {
        if (++running === 2) queueMicrotask(() => time.advance(3_000))
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            stopped.push(name)
            reject(signal.reason)
          })
        })
      })
    const agent = makeAgent({
      constraints: { budget: { max_duration_seconds: 3 } },
      policy: { id: 'agf.parallel', config: { agents: [{ agent: 'a' }, { agent: 'b' }] } },
      agents: { a: patient('a'), b: patient('b') },
    })
    const error = await errorOf(agent, null, { clock: time })
    expect(error).toMatchObject({
      code: 'limit_exceeded',
      agent: [],
      details: { limit: 'constraints.budget.max_duration_seconds' },
    })
    expect(stopped).toEqual(['a', 'b'])
    expect(time.waiting()).toBe(0)
  })

  it('limits of the host tighten those of the document', async () => {
    const agent = react('m', { constraints: { limits: { max_llm_calls: 9 } } })
    const error = await errorOf(agent, 'go', { models: scripts({ m: [{ text: 'x' }] }), limits: { max_llm_calls: 0 } })
    expect(error.details).toMatchObject({ limit: 'host.limits.max_llm_calls' })
  })

  it('OPEN-37: depth', async () => {
    const leafAgent = leaf(() => 'deep')
    const sequence = (agents: object, constraints = {}) =>
      makeAgent({
        constraints,
        policy: { id: 'agf.sequential', config: { steps: [{ agent: 'next' }] } },
        agents: agents as Record<string, typeof leafAgent>,
      })
    const three = (depth: number) =>
      sequence({ next: sequence({ next: leafAgent }) }, { limits: { max_delegation_depth: depth } })
    expect(await outputOf(three(2), null)).toBe('deep')
    expect(await errorOf(three(1), null)).toMatchObject({
      code: 'limit_exceeded',
      agent: [],
      details: { at: ['next'] },
    })
  })

  it('reports usage of a failed run', async () => {
    const agent = react('m', { output: { type: 'object', required: ['x'] } })
    const models = scripts({
      m: [
        { text: 'no', ...usage(5, 1) },
        { text: 'no', ...usage(5, 1) },
      ],
    })
    const { events } = await run(agent, 'go', { models })
    expect(events.at(-1)).toMatchObject({ type: 'run-failed', usage: { totalTokens: 12, modelCalls: 2 } })
  })
})
