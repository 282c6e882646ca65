import { describe, expect, it } from 'vitest'
import { leaf, makeAgent, object } from '../support/agents.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

const integer = { type: 'integer' }

/** A checker whose score grows with each execution. */
function checker() {
  let score = 0
  return leaf(() => ({ score: ++score }), { output: object({ score: integer }) })
}

function loop(config: object, agents = { checker: checker() }) {
  const input = object({ wanted: integer }, [])
  return makeAgent({ input, policy: { id: 'agf.loop', config: { steps: [{ agent: 'checker' }], ...config } }, agents })
}

describe('agf.loop', () => {
  it('ends after the iteration in which the exit condition matches', async () => {
    const agent = loop({ exit_condition: { args_match: { 'checker.output.score': { gte: 3 } } } })
    const { result, events } = await run(agent, {})
    expect(result?.output).toEqual({ score: 3 })
    expect(result?.warnings).toEqual([])
    const iterations = events.flatMap((event) => (event.type === 'step-started' ? [event.iteration] : []))
    expect(iterations).toEqual([0, 1, 2])
  })

  it('runs exactly max_iterations times without a condition, ten by default', async () => {
    expect(await outputOf(loop({ max_iterations: 4 }), {})).toEqual({ score: 4 })
    expect(await outputOf(loop({}), {})).toEqual({ score: 10 })
  })

  it('OPEN-31: reaching the maximum is a normal end with a warning', async () => {
    const agent = loop({ max_iterations: 2, exit_condition: { args_match: { 'checker.output.score': 99 } } })
    const { result } = await run(agent, {})
    expect(result?.output).toEqual({ score: 2 })
    expect(result?.warnings).toMatchObject([{ code: 'max_iterations_reached', agent: [] }])
  })

  it('OPEN-30: nothing passes from one iteration to the next', async () => {
    const seen: unknown[] = []
    const agents = {
      checker: checker(),
      reader: leaf(
        ({ input }) => {
          seen.push(input)
          return null
        },
        { input: object({ score: integer }) },
      ),
    }
    const steps = [{ agent: 'reader', input_mapping: { score: 'checker.output.score' } }, { agent: 'checker' }]
    expect((await errorOf(loop({ steps }, agents), {})).code).toBe('dependency_order')
    expect(seen).toEqual([])
  })

  it('OPEN-28: strategies use the last iteration only', async () => {
    const steps = [{ agent: 'checker' }, { agent: 'other' }]
    const agents = { checker: checker(), other: leaf(() => ({ other: true })) }
    expect(await outputOf(loop({ steps, max_iterations: 3, output_from: 'merge' }, agents), {})).toEqual({
      score: 3,
      other: true,
    })
  })

  it('OPEN-19: a value of the wrong type does not match and causes a warning', async () => {
    const words = leaf(() => ({ score: 'high' }), { output: object({ score: {} }) })
    const agent = loop(
      { max_iterations: 1, exit_condition: { args_match: { 'checker.output.score': { gt: 1 } } } },
      { checker: words },
    )
    const { result } = await run(agent, {})
    expect(result?.warnings.map(({ code }) => code)).toEqual(['condition_unevaluable', 'max_iterations_reached'])
  })

  it('OPEN-20: an undeclared, absent path is an error; a declared one does not match', async () => {
    const undeclared = loop({ exit_condition: { args_match: { 'checker.output.mood': { ne: 'good' } } } })
    expect((await errorOf(undeclared, {})).code).toBe('field_absent')
    const declared = loop({ max_iterations: 2, exit_condition: { args_match: { 'parent.input.wanted': { ne: 1 } } } })
    expect(await outputOf(declared, {})).toEqual({ score: 2 })
  })

  it('wraps a failure with step and iteration', async () => {
    let count = 0
    const flaky = leaf(() => {
      if (++count === 2) throw new Error('enough')
      return {}
    })
    const error = await errorOf(loop({}, { checker: flaky }), {})
    expect(error).toMatchObject({
      message: 'checker (step 0, iteration 1) failed: the agent failed: enough',
      details: { alias: 'checker', step: 0, iteration: 1 },
    })
  })
})
