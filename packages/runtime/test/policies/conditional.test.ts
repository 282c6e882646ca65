import type { ConditionalConfig } from '@joust/agentformat'
import { describe, expect, it } from 'vitest'
import { leaf, makeAgent, object } from '../support/agents.ts'
import { errorOf, outputOf } from '../support/run.ts'

const agents = {
  refunds: leaf(({ input }) => ({ by: 'refunds', input })),
  orders: leaf(({ input }) => ({ by: 'orders', input })),
  anyone: leaf(({ input }) => ({ by: 'anyone', input })),
}

function conditional(config: unknown) {
  const input = object({ kind: { type: 'string' }, amount: { type: 'number' } }, [])
  return makeAgent({ input, policy: { id: 'agf.conditional', config: config as ConditionalConfig }, agents })
}

const when = (key: string, matcher: unknown) => ({ args_match: { [`parent.input.${key}`]: matcher } })

describe('agf.conditional', () => {
  it('runs only the first matching route', async () => {
    const agent = conditional({
      routes: [
        { when: when('kind', 'refund'), agent: 'refunds', input_mapping: { sum: 'parent.input.amount' } },
        { when: when('amount', { gt: 1 }), agent: 'orders' },
      ],
    })
    expect(await outputOf(agent, { kind: 'refund', amount: 5 })).toEqual({ by: 'refunds', input: { sum: 5 } })
    expect(await outputOf(agent, { kind: 'order', amount: 5 })).toEqual({
      by: 'orders',
      input: { kind: 'order', amount: 5 },
    })
  })

  it('a list of groups matches if one group matches', async () => {
    const agent = conditional({ routes: [{ when: [when('kind', 'a'), when('kind', 'b')], agent: 'orders' }] })
    expect(await outputOf(agent, { kind: 'b' })).toMatchObject({ by: 'orders' })
  })

  it('falls back to default_agent with the whole input', async () => {
    const agent = conditional({ routes: [{ when: when('kind', 'x'), agent: 'orders' }], default_agent: 'anyone' })
    expect(await outputOf(agent, { kind: 'y' })).toEqual({ by: 'anyone', input: { kind: 'y' } })
  })

  it('R-20: no match and no default is an error', async () => {
    const agent = conditional({ routes: [{ when: when('kind', 'x'), agent: 'orders' }] })
    expect(await errorOf(agent, { kind: 'y' })).toMatchObject({
      code: 'no_route_matched',
      message: 'none of 1 routes matches the input, and default_agent is missing',
    })
  })

  it('OPEN-20: a key that is absent and undeclared is an error', async () => {
    const agent = conditional({ routes: [{ when: when('mood', 'x'), agent: 'orders' }], default_agent: 'anyone' })
    expect((await errorOf(agent, { kind: 'y' })).code).toBe('field_absent')
  })
})
