/** Delegations in whole runs: who stops them, and what they are given. */
import type { Agent } from '@joust/agentformat'
import { deferred } from '@joust/io'
import { describe, expect, it } from 'vitest'
import type { ApprovalRequest } from '../../src/model/approval.ts'
import type { VendorCall } from '../../src/model/options.ts'
import { type Behaviour, leaf, makeAgent } from '../support/agents.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

const parent = (behaviour: Behaviour, agents: Readonly<Record<string, Agent>>) => leaf(behaviour, { agents })
const soon = () => new Promise((resolve) => setImmediate(resolve))
const failing = leaf(() => Promise.reject(new Error('crash')))

describe('a sub-agent that the policy does not await', () => {
  const loose = () => {
    const started = deferred()
    const gate = deferred()
    const seen: { signal?: AbortSignal; ran: number } = { ran: 0 }
    const below = leaf(() => {
      seen.ran += 1
      return null
    })
    const child = parent(
      async ({ delegate, signal }) => {
        seen.signal = signal
        started.resolve()
        await gate.promise
        return delegate('below', null)
      },
      { below },
    )
    return { started, gate, seen, child }
  }

  it('is cancelled with the policy, and has stopped before the run ends', async () => {
    const { started, gate, seen, child } = loose()
    const root = parent(
      async ({ delegate }) => {
        delegate('child', null)
        await started.promise
        return 'early'
      },
      { child },
    )
    const { result, events } = await run(root, null)
    expect(result?.output).toBe('early')
    expect(seen.signal?.aborted).toBe(true)
    expect(events.slice(-4)).toMatchObject([
      { type: 'agent-failed', agent: ['child'], error: { code: 'cancelled' } },
      { type: 'delegation-finished', alias: 'child', ok: false },
      { type: 'agent-finished', agent: [] },
      { type: 'run-finished' },
    ])
    gate.resolve()
    await soon()
    expect(seen.ran).toBe(0)
  })

  it('cannot be started after the policy has ended', async () => {
    const { seen, child } = loose()
    let later: VendorCall['delegate'] | undefined
    const root = parent(
      ({ delegate }) => {
        later = delegate
        return null
      },
      { child },
    )
    await outputOf(root, null)
    await expect(later?.('child', null)).rejects.toMatchObject({ error: { code: 'cancelled' } })
    expect(seen.signal).toBeUndefined()
  })

  it('the signal of an agent is aborted when it ends', async () => {
    let signal: AbortSignal | undefined
    const root = leaf((call) => {
      signal = call.signal
      return null
    })
    await outputOf(root, null)
    expect(signal?.reason).toMatchObject({ error: { code: 'cancelled' } })
  })
})

describe('a failing sibling cancels a pending approval', () => {
  const asking = () => {
    const signals: AbortSignal[] = []
    const approve = (_: ApprovalRequest, signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<never>(() => {})
    }
    return { signals, approve }
  }

  it('in agf.parallel', async () => {
    const { signals, approve } = asking()
    const agent = makeAgent({
      policy: { id: 'agf.parallel', config: { agents: [{ agent: 'y' }, { agent: 'x' }] } },
      agents: { x: failing, y: leaf(() => 'ran') },
      entries: { y: { approval: true } },
    })
    expect(await errorOf(agent, null, { approve })).toMatchObject({ code: 'agent_failed', details: { alias: 'x' } })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('in agf.batch', async () => {
    const { signals, approve: silent } = asking()
    const approve = (request: ApprovalRequest, signal: AbortSignal) =>
      JSON.stringify(request.args).includes('2') ? silent(request, signal) : { approved: true }
    const agent = makeAgent({
      policy: { id: 'agf.batch', config: { agent: 'x', input_mapping: { x: 'parent.input.list.[]' } } },
      agents: { x: failing },
      entries: { x: { approval: true } },
    })
    const error = await errorOf(agent, { list: [1, 2] }, { approve, batchConcurrency: 2 })
    expect(error).toMatchObject({ code: 'agent_failed', details: { alias: 'x', item: 0 } })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('the input of a sub-agent', () => {
  it('is the approved input, even if the original is changed', async () => {
    const given: unknown[] = []
    const child = leaf(({ input }) => {
      given.push(input)
      return null
    })
    const input = { sum: 1 }
    const approve = ({ args }: ApprovalRequest) => {
      Object.assign(args as object, { sum: 2 })
      input.sum = 3
      return { approved: true }
    }
    const root = leaf(({ delegate }) => delegate('child', input), {
      agents: { child },
      entries: { child: { approval: true } },
    })
    await outputOf(root, null, { approve })
    expect(given).toEqual([{ sum: 1 }])
  })

  it('is a copy: a policy that changes its input affects no other agent', async () => {
    const spoil = leaf(({ input }) => {
      Object.assign(input as object, { risk: 'none' })
      return null
    })
    const echo = leaf(({ input }) => input)
    const agent = makeAgent({
      policy: { id: 'agf.sequential', config: { steps: [{ agent: 'spoil' }, { agent: 'echo' }] } },
      agents: { spoil, echo },
    })
    expect(await outputOf(agent, { risk: 'high' })).toEqual({ risk: 'high' })
  })
})
