import type { Agent } from '@joust/agentformat'
import { deferred } from '@joust/io'
import { describe, expect, it } from 'vitest'
import { type Behaviour, leaf, makeAgent, object } from '../support/agents.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

const list = object({ items: { type: 'array', items: { type: 'object' } }, tag: { type: 'string' } }, [])
const mapping = { value: 'parent.input.items.[].value', tag: 'parent.input.tag' }

function batch(worker: Agent | Behaviour, config: object = {}, output = {}) {
  const agents = { worker: typeof worker === 'function' ? leaf(worker) : worker }
  const policy = { id: 'agf.batch', config: { agent: 'worker', input_mapping: mapping, ...config } }
  return makeAgent({ input: list, output, policy, agents })
}

const items = (...values: number[]) => ({ items: values.map((value) => ({ value })), tag: 't' })

describe('agf.batch', () => {
  it('runs once per element, in order, with the same other fields', async () => {
    const seen: unknown[] = []
    const agent = batch(({ input }) => {
      seen.push(input)
      return (input as { value: number }).value * 2
    })
    expect(await outputOf(agent, items(1, 2, 3))).toEqual([2, 4, 6])
    expect(seen).toEqual([
      { value: 1, tag: 't' },
      { value: 2, tag: 't' },
      { value: 3, tag: 't' },
    ])
  })

  it('OPEN-32a: results are in the order of the items, not of completion', async () => {
    const gate = deferred()
    const agent = batch(async ({ input }) => {
      const { value } = input as { value: number }
      if (value === 1) await gate.promise
      else gate.resolve()
      return value
    })
    expect(await outputOf(agent, items(1, 2), { batchConcurrency: 2 })).toEqual([1, 2])
  })

  it('OPEN-32b: the shape follows the output schema', async () => {
    const double: Behaviour = ({ input }) => (input as { value: number }).value
    const array = { type: 'array' }
    expect(await outputOf(batch(double, {}, array as never), items(1))).toEqual([1])
    expect(await outputOf(batch(double, {}, object({ results: array, other: array }, ['results'])), items(1))).toEqual({
      results: [1],
    })
    expect(
      await outputOf(batch(double, {}, object({ found: array, note: { type: 'string' } }, ['found'])), items(1)),
    ).toEqual({
      found: [1],
    })
    const shapeless = batch(double, {}, object({ a: array, b: array }, []))
    expect((await errorOf(shapeless, items(1))).code).toBe('batch_output_shape')
  })

  it('OPEN-32c: max_batch_count takes the first items and warns; zero takes all', async () => {
    const worker: Behaviour = ({ input }) => (input as { value: number }).value
    const { result } = await run(batch(worker, { max_batch_count: 2 }), items(1, 2, 3))
    expect(result?.output).toEqual([1, 2])
    expect(result?.warnings).toMatchObject([
      { code: 'batch_truncated', message: 'only 2 of 3 items run because of max_batch_count' },
    ])
    expect(await outputOf(batch(worker, { max_batch_count: 0 }), items(1, 2, 3))).toEqual([1, 2, 3])
  })

  it('OPEN-32d: an empty list is an empty result', async () => {
    const never: Behaviour = () => {
      throw new Error('unexpected')
    }
    expect(await outputOf(batch(never), items())).toEqual([])
  })

  it('OPEN-32e: a value that is not a list is a type mismatch', async () => {
    const agent = makeAgent({
      input: object({ items: {} }, []),
      policy: { id: 'agf.batch', config: { agent: 'worker', input_mapping: { value: 'parent.input.items.[].value' } } },
      agents: { worker: leaf(() => null) },
    })
    expect((await errorOf(agent, { items: 'many' })).code).toBe('type_mismatch')
    expect((await errorOf(agent, { items: null })).code).toBe('type_mismatch')
  })

  it('OPEN-32f: batchConcurrency is respected', async () => {
    for (const width of [1, 3]) {
      let running = 0
      let most = 0
      const agent = batch(async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
        return null
      })
      await outputOf(agent, items(1, 2, 3, 4, 5, 6, 7), { batchConcurrency: width })
      expect(most).toBe(width)
    }
  })

  it('OPEN-32g: an element without the field follows the target', async () => {
    const number = { type: 'integer' }
    const strict = leaf(({ input }) => input, { input: object({ value: number }) })
    const config = { input_mapping: { value: 'parent.input.items.[].value' } }
    const declared = object({ items: { type: 'array', items: object({ value: number }, []) } })
    const agent = (worker: Agent) =>
      makeAgent({
        input: declared,
        policy: { id: 'agf.batch', config: { agent: 'worker', ...config } },
        agents: { worker },
      })
    const error = await errorOf(agent(strict), { items: [{ value: 1 }, {}] })
    expect(error).toMatchObject({ code: 'missing_value', details: [{ item: 1, field: 'value' }] })
    const lenient = leaf(({ input }) => input, { input: object({ value: { ...number, default: 7 } }, []) })
    expect(await outputOf(agent(lenient), { items: [{ value: 1 }, {}] })).toEqual([{ value: 1 }, { value: 7 }])
  })

  it('OPEN-24: a failing item is named, and no further item starts', async () => {
    const started: number[] = []
    const agent = batch(({ input }) => {
      const { value } = input as { value: number }
      started.push(value)
      if (value === 2) throw new Error('bad item')
      return value
    })
    const error = await errorOf(agent, items(1, 2, 3))
    expect(error).toMatchObject({ code: 'agent_failed', details: { alias: 'worker', item: 1 } })
    expect(started).toEqual([1, 2])
  })
})
