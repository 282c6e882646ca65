import { describe, expect, it } from 'vitest'
import { AgentBudget, newTotals } from '../../src/budget/agent-budget.ts'
import type { Bound, LimitLayer, LimitValues } from '../../src/budget/bounds.ts'
import { RunFailure } from '../../src/model/errors.ts'
import { fakeClock } from '../support/clock.ts'

const own = (values: LimitValues): LimitLayer => ({ source: 'constraints', own: true, values })

function open(values: LimitValues, options: { tightenOnly?: boolean; more?: LimitLayer[]; cancel?: AbortSignal } = {}) {
  const time = fakeClock()
  const reached: string[] = []
  const onLimit = (bound: Bound, used: number) => void reached.push(`${bound.path}: ${used}`)
  const { tightenOnly = true, more = [], cancel = new AbortController().signal } = options
  const spec = { agent: [], layers: [own(values), ...more], tightenOnly, cancel, onLimit }
  const budget = new AgentBudget(spec, { clock: time, totals: newTotals(time) })
  const child = (alias: string, childValues: LimitValues, childTightenOnly = true) =>
    budget.child({ agent: [alias], layers: [own(childValues)], tightenOnly: childTightenOnly, cancel, onLimit })
  return { budget, time, reached, child }
}

function failure(start: () => void) {
  try {
    start()
  } catch (thrown) {
    if (thrown instanceof RunFailure) return thrown.error
    throw thrown
  }
  throw new Error('it was allowed')
}

const tokens = (count: number) => ({ inputTokens: count - 1, outputTokens: 1, estimated: false })

describe('OPEN-34: one budget per run tree', () => {
  it('counts calls and rejects calls over the limit', () => {
    const { budget, reached } = open({ max_llm_calls: 2, max_tool_calls: 1 })
    budget.startModelCall()
    budget.startModelCall()
    budget.startToolCall()
    expect(failure(() => budget.startModelCall())).toEqual({
      code: 'limit_exceeded',
      message: 'limit constraints.limits.max_llm_calls reached: 2 of 2 used',
      agent: [],
      details: { limit: 'constraints.limits.max_llm_calls', max: 2, used: 2, at: [] },
    })
    expect(failure(() => budget.startToolCall()).code).toBe('limit_exceeded')
    expect(budget.usage).toMatchObject({ modelCalls: 2, toolCalls: 1 })
    expect(reached).toEqual(['constraints.limits.max_llm_calls: 2', 'constraints.limits.max_tool_calls: 1'])
  })

  it('zero allows no calls', () => {
    expect(failure(() => open({ max_llm_calls: 0 }).budget.startModelCall()).code).toBe('limit_exceeded')
    expect(failure(() => open({ max_tool_calls: 0 }).budget.startToolCall()).code).toBe('limit_exceeded')
    expect(failure(() => open({ max_token_usage: 0 }).budget.startModelCall()).code).toBe('limit_exceeded')
  })

  it('counts calls of a child for itself and all agents above', () => {
    const { budget, child } = open({ max_llm_calls: 3 })
    const first = child('a', { max_llm_calls: 2 })
    first.startModelCall()
    first.startModelCall()
    expect(failure(() => first.startModelCall()).agent).toEqual(['a'])
    const second = child('b', {})
    second.startModelCall()
    const error = failure(() => second.startModelCall())
    expect(error).toMatchObject({ agent: [], details: { at: ['b'], max: 3 } })
    expect(failure(() => budget.startModelCall()).agent).toEqual([])
  })

  it('tokens may exceed the limit by the last call, which fails and cancels the budget', () => {
    const { budget, child } = open({ max_token_usage: 10 })
    const [a, b] = [child('a', {}), child('b', {})]
    a.startModelCall()
    a.addTokens(tokens(10))
    expect(failure(() => b.startModelCall()).code).toBe('limit_exceeded')
    expect(budget.signal.aborted).toBe(false)
    const error = failure(() => b.addTokens(tokens(2)))
    expect(error).toMatchObject({ code: 'limit_exceeded', agent: [], details: { used: 12, max: 10 } })
    expect([a, b, budget].map(({ signal }) => signal.aborted)).toEqual([true, true, true])
    expect((a.signal.reason as RunFailure).error.code).toBe('limit_exceeded')
    expect(budget.usage).toMatchObject({ totalTokens: 12, inputTokens: 10, outputTokens: 2 })
  })

  it("a child's budget stops only the child", () => {
    const { budget, child } = open({})
    const a = child('a', { max_token_usage: 1 })
    expect(failure(() => a.addTokens(tokens(2))).agent).toEqual(['a'])
    expect(a.signal.aborted).toBe(true)
    expect(budget.signal.aborted).toBe(false)
  })
})

describe('deadlines', () => {
  it('abort, reach the children, and reject new calls', () => {
    const { budget, child, time } = open({ max_duration_seconds: 5 })
    const a = child('a', { max_duration_seconds: 60 })
    expect(a.deadline).toBe(1_005_000)
    time.advance(4_999)
    a.startToolCall()
    expect(a.signal.aborted).toBe(false)
    time.advance(1)
    expect(a.signal.aborted).toBe(true)
    expect((a.signal.reason as RunFailure).error).toMatchObject({
      code: 'limit_exceeded',
      details: { limit: 'constraints.budget.max_duration_seconds', max: 5, used: 5 },
    })
    expect(failure(() => budget.startModelCall()).code).toBe('limit_exceeded')
  })

  it('are cleared when the budget is closed', () => {
    const { budget, time, child } = open({ max_duration_seconds: 5 })
    const a = child('a', { max_duration_seconds: 3 })
    expect(time.waiting()).toBe(2)
    a.close()
    budget.close()
    expect(time.waiting()).toBe(0)
  })
})

describe('OPEN-35: a child with higher limits is bound by its parent', () => {
  it('by count', () => {
    const child = open({ max_tool_calls: 1 }).child('a', { max_tool_calls: 100 })
    child.startToolCall()
    expect(failure(() => child.startToolCall()).agent).toEqual([])
  })
})

describe('OPEN-36: tighten_only_invariant: false', () => {
  it('applies only to limits that both child and parent declare', () => {
    const { child } = open({ max_tool_calls: 1, max_llm_calls: 1 }, { tightenOnly: false })
    const a = child('a', { max_tool_calls: 3 })
    for (let count = 0; count < 3; count++) a.startToolCall()
    expect(failure(() => a.startToolCall()).agent).toEqual(['a'])
    a.startModelCall()
    expect(failure(() => a.startModelCall()).agent).toEqual([])
  })

  it('governance still applies', () => {
    const more = [{ source: 'governance.org.cap', own: false, values: { max_tool_calls: 2 } }]
    const a = open({ max_tool_calls: 1 }, { tightenOnly: false, more }).child('a', { max_tool_calls: 9 })
    a.startToolCall()
    a.startToolCall()
    expect(failure(() => a.startToolCall()).details).toMatchObject({
      limit: 'governance.org.cap.limits.max_tool_calls',
    })
  })

  it('an ancestor with the invariant still applies', () => {
    const a = open({ max_tool_calls: 2 }).child('a', { max_tool_calls: 1 }, false)
    const b = a.child({
      agent: ['a', 'b'],
      layers: [own({ max_tool_calls: 9 })],
      tightenOnly: true,
      cancel: a.signal,
      onLimit: () => {},
    })
    b.startToolCall()
    b.startToolCall()
    expect(failure(() => b.startToolCall()).agent).toEqual([])
  })

  it('an overridden deadline does not stop the child', () => {
    const { child, budget, time } = open({ max_duration_seconds: 1 }, { tightenOnly: false })
    const a = child('a', { max_duration_seconds: 10 })
    time.advance(2_000)
    expect(budget.signal.aborted).toBe(true)
    expect(a.signal.aborted).toBe(false)
    a.startToolCall()
    time.advance(8_000)
    expect(a.signal.aborted).toBe(true)
  })
})

describe('OPEN-37: depth', () => {
  it('is counted from each agent that limits it', () => {
    const { budget, child } = open({ max_delegation_depth: 1 })
    budget.enterDelegation()
    const error = failure(() => child('a', {}).enterDelegation())
    expect(error).toMatchObject({ agent: [], details: { limit: 'constraints.limits.max_delegation_depth', at: ['a'] } })
    expect(failure(() => open({ max_delegation_depth: 0 }).budget.enterDelegation()).code).toBe('limit_exceeded')
    open({}).child('a', { max_delegation_depth: 1 }).enterDelegation()
    expect(failure(() => open({}).child('a', { max_delegation_depth: 0 }).enterDelegation()).agent).toEqual(['a'])
  })
})

describe('cancellation', () => {
  it('a closed budget starts no calls', () => {
    const { budget } = open({})
    budget.close()
    expect(failure(() => budget.startToolCall())).toMatchObject({
      code: 'cancelled',
      cause: { message: 'the agent has ended' },
    })
  })

  it('rejects all calls with its reason', () => {
    const cancel = new AbortController()
    const { budget } = open({}, { cancel: cancel.signal })
    cancel.abort(new Error('enough'))
    expect(failure(() => budget.startModelCall())).toMatchObject({ code: 'cancelled', cause: { message: 'enough' } })
  })
})
