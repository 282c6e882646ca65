import { describe, expect, it } from 'vitest'
import type { TransformInput } from '../../src/model/options.ts'
import { leaf, makeAgent } from '../support/agents.ts'
import { errorOf, outputOf } from '../support/run.ts'

const agents = { a: leaf(() => 1), b: leaf(() => 2) }
const from = { output_from: { custom_transform: 'org.join' } }
const loop = (config: object) => makeAgent({ policy: { id: 'agf.loop', config: { ...config, ...from } }, agents })
const steps = [{ agent: 'a' }, { agent: 'b' }, { agent: 'a' }]

describe('custom_transform', () => {
  it('OPEN-29: gets an ordered list; for a loop, that of the last iteration', async () => {
    let given: TransformInput = []
    const join = (outputs: TransformInput) => {
      given = outputs
      return outputs.length
    }
    expect(await outputOf(loop({ steps, max_iterations: 2 }), null, { transforms: { 'org.join': join } })).toBe(3)
    expect(given).toEqual([
      { agent: 'a', index: 0, output: 1 },
      { agent: 'b', index: 1, output: 2 },
      { agent: 'a', index: 2, output: 1 },
    ])
  })

  it.each([
    [
      'that throws',
      () => {
        throw new Error('no')
      },
    ],
    ['that rejects', () => Promise.reject(new Error('no'))],
    ['that gives no JSON', () => (() => {}) as never],
  ])('one %s fails the agent', async (_, join) => {
    const agent = loop({ steps, max_iterations: 1 })
    expect((await errorOf(agent, null, { transforms: { 'org.join': join as () => never } })).code).toBe('agent_failed')
  })

  it('one that never ends is cancelled by the signal', async () => {
    const cancel = new AbortController()
    const join = () => {
      queueMicrotask(() => cancel.abort())
      return new Promise<never>(() => {})
    }
    const options = { transforms: { 'org.join': join } }
    const error = await errorOf(loop({ steps, max_iterations: 1 }), null, options, { signal: cancel.signal })
    expect(error.code).toBe('cancelled')
  })
})

describe('an alias that no step runs', () => {
  it('is an error for an agent that was built by hand', async () => {
    const policy = { id: 'agf.sequential', config: { steps: [{ agent: 'a' }], output_from: 'b' } }
    expect((await errorOf(makeAgent({ policy, agents }), null)).code).toBe('unknown_agent')
    const repeated = { id: 'agf.sequential', config: { steps, output_from: 'a' } }
    expect(await outputOf(makeAgent({ policy: repeated, agents }), null)).toBe(1)
  })
})
