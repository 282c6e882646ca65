import { describe, expect, it } from 'vitest'
import { leaf, makeAgent, object } from '../support/agents.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

const text = { type: 'string' }
const researcher = () =>
  leaf(({ input }) => ({ findings: `about ${JSON.stringify(input)}` }), { output: object({ findings: text }) })
const writer = () => leaf(({ input }) => ({ result: input }), { input: object({ research: text, query: text }) })

function pipeline(config: object, agents = { researcher: researcher(), writer: writer() }) {
  return makeAgent({
    input: object({ query: text }),
    policy: { id: 'agf.sequential', config: { ...steps, ...config } },
    agents,
  })
}

const steps = {
  steps: [
    { agent: 'researcher' },
    { agent: 'writer', input_mapping: { research: 'researcher.output.findings', query: 'parent.input.query' } },
  ],
}

describe('agf.sequential', () => {
  it('runs the steps in order and returns the last output', async () => {
    const { result, events } = await run(pipeline({}), { query: 'owls' })
    expect(result?.output).toEqual({ result: { research: 'about {"query":"owls"}', query: 'owls' } })
    const order = events.flatMap((event) =>
      event.type === 'step-started' || event.type === 'step-finished' ? [[event.type, event.alias]] : [],
    )
    expect(order).toEqual([
      ['step-started', 'researcher'],
      ['step-finished', 'researcher'],
      ['step-started', 'writer'],
      ['step-finished', 'writer'],
    ])
  })

  it('OPEN-23: without a mapping, a step gets the parent input; with an empty one, an empty object', async () => {
    const echo = leaf(({ input }) => input)
    const agents = { whole: echo, none: leaf(({ input }) => ({ none: input })) }
    const config = { steps: [{ agent: 'whole' }, { agent: 'none', input_mapping: {} }], output_from: 'merge' }
    const agent = makeAgent({ policy: { id: 'agf.sequential', config }, agents })
    expect(await outputOf(agent, { a: 1 })).toEqual({ a: 1, none: {} })
  })

  it('OPEN-12: a repeated alias refers to its latest execution, including its input', async () => {
    const count = leaf(({ input }) => ({ n: (input as { n: number }).n + 1 }), {
      input: object({ n: { type: 'integer' } }),
      output: object({ n: { type: 'integer' } }),
    })
    const config = {
      steps: [
        { agent: 'count' },
        { agent: 'count', input_mapping: { n: 'count.output.n' } },
        { agent: 'count', input_mapping: { n: 'count.input.n' } },
      ],
    }
    const agent = makeAgent({
      input: object({ n: { type: 'integer' } }),
      policy: { id: 'agf.sequential', config },
      agents: { count },
    })
    expect(await outputOf(agent, { n: 5 })).toEqual({ n: 7 })
  })

  it('OPEN-24: stops at the first failure and wraps it with alias and step', async () => {
    let ran = false
    const agents = {
      researcher: leaf(() => {
        throw new Error('no library')
      }),
      writer: leaf(() => {
        ran = true
        return {}
      }),
    }
    const error = await errorOf(pipeline({}, agents), { query: 'owls' })
    expect(ran).toBe(false)
    expect(error).toMatchObject({
      code: 'agent_failed',
      agent: [],
      message: 'researcher (step 0) failed: the agent failed: no library',
      details: { alias: 'researcher', step: 0 },
      cause: { code: 'agent_failed', agent: ['researcher'], cause: { message: 'no library' } },
    })
  })

  it.each([
    [{ output_from: 'first' }, { findings: 'about {"query":"q"}' }],
    [{ output_from: 'researcher' }, { findings: 'about {"query":"q"}' }],
    [{ output_from: { agent: 'writer' } }, { result: { research: 'about {"query":"q"}', query: 'q' } }],
    [{ output_from: { strategy: 'last' } }, { result: { research: 'about {"query":"q"}', query: 'q' } }],
    [
      { output_from: 'merge' },
      { findings: 'about {"query":"q"}', result: { research: 'about {"query":"q"}', query: 'q' } },
    ],
  ])('output_from %j', async (config, expected) => {
    expect(await outputOf(pipeline(config), { query: 'q' })).toEqual(expected)
  })
})
