import { describe, expect, it } from 'vitest'
import { RunFailure } from '../../src/model/errors.ts'
import type { VendorPolicy } from '../../src/model/options.ts'
import { leaf, makeAgent, object } from '../support/agents.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

const vote: VendorPolicy = async ({ agent, config, input, delegate }) => {
  const votes = await Promise.all([...agent.agents.keys()].map((alias) => delegate(alias, input)))
  return { quorum: config.quorum ?? 0, yes: votes.filter((answer) => answer === true).length }
}

const agent = makeAgent({
  policy: { id: 'x-acme.vote', config: { quorum: 2 } },
  agents: { a: leaf(() => true), b: leaf(() => false), c: leaf(() => true) },
})

describe('R-09: vendor policies', () => {
  it('get config, input and delegate', async () => {
    expect(await outputOf(agent, {}, { policies: { 'x-acme.vote': vote } })).toEqual({ quorum: 2, yes: 2 })
  })

  it('get nothing else', async () => {
    let keys: string[] = []
    const spy: VendorPolicy = async (call) => {
      keys = Object.keys(call).toSorted()
      return null
    }
    await outputOf(agent, {}, { policies: { 'x-acme.vote': spy } })
    expect(keys).toEqual(['agent', 'config', 'delegate', 'input', 'signal'])
  })

  it('may reject with their own failure', async () => {
    const error = { code: 'no_route_matched', message: 'a tie', agent: [] } as const
    const policies = { 'x-acme.vote': () => Promise.reject(new RunFailure(error)) }
    expect(await errorOf(agent, {}, { policies })).toEqual(error)
  })

  it.each([
    ['a throw', () => Promise.reject(new Error('broken')), 'agent_failed'],
    [
      'a throw before the first await',
      () => {
        throw new Error('broken')
      },
      'agent_failed',
    ],
    ['a function', async () => (() => {}) as never, 'output_validation'],
    [
      'a cycle',
      async () => {
        const a: unknown[] = []
        a.push(a)
        return a as never
      },
      'output_validation',
    ],
    ['not a number', async () => ({ n: Number.NaN }), 'output_validation'],
  ] as [string, VendorPolicy, string][])('%s is a failure with a code', async (_, policy, code) => {
    expect((await errorOf(agent, {}, { policies: { 'x-acme.vote': policy } })).code).toBe(code)
  })

  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  it.each([
    ['a function', () => {}],
    ['a cycle', cyclic],
    ['not a number', { q: Number.NaN }],
    ['a big integer', { q: 1n }],
  ])('delegated input must be JSON: %s is rejected', async (_, input) => {
    const policies = { 'x-acme.vote': ((call) => call.delegate('a', input as never)) as VendorPolicy }
    const { error, events } = await run(agent, {}, { policies })
    expect(error).toMatchObject({ code: 'input_validation', agent: ['a'] })
    expect(events.some(({ type }) => type === 'delegation-started')).toBe(false)
  })

  it('undefined becomes null, and the sub-agent validates it', async () => {
    const strict = makeAgent({
      policy: { id: 'x-acme.vote', config: {} },
      agents: { a: leaf(() => true, { input: { type: 'object' } }) },
    })
    const policies = { 'x-acme.vote': ((call) => call.delegate('a', undefined as never)) as VendorPolicy }
    expect(await errorOf(strict, {}, { policies })).toMatchObject({ cause: { code: 'input_validation' } })
  })

  it('an unhandled rejection of a delegation does not end the process', async () => {
    const policies = {
      'x-acme.vote': (async (call) => {
        call.delegate('a', (() => {}) as never)
        return 'fine'
      }) as VendorPolicy,
    }
    expect(await outputOf(agent, {}, { policies })).toBe('fine')
  })

  it('delegating to an unknown alias is an error', async () => {
    const policies = { 'x-acme.vote': ((call) => call.delegate('constructor', null)) as VendorPolicy }
    expect((await errorOf(agent, {}, { policies })).code).toBe('unknown_agent')
  })

  it('are validated like any other policy', async () => {
    const strict = makeAgent({ output: object({ yes: { type: 'string' } }), policy: { id: 'x-acme.vote', config: {} } })
    expect((await errorOf(strict, {}, { policies: { 'x-acme.vote': vote } })).code).toBe('output_validation')
  })
})
