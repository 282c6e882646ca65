import type { Approval } from '@joust/agentformat'
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { type Intent, requirementsOf } from '../../src/approvals/requirement.ts'
import type { AgentContext } from '../../src/context/agent-context.ts'
import type { GovernancePolicy } from '../../src/model/governance.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'

interface Setting {
  readonly options?: RuntimeOptions
  readonly policies?: readonly GovernancePolicy[]
  readonly input?: Value
}

function contextOf({ options = {}, policies = [], input = {} }: Setting): AgentContext {
  // Only these three are read.
  return { options, governance: { policies }, input } as unknown as AgentContext
}

function needed(approval: Approval | undefined, args: Value, setting: Setting = {}, over: Intent['over'] = 'args') {
  const intent: Intent = {
    kind: 'tool',
    target: 'pay',
    names: [],
    args,
    over,
    ...(approval === undefined ? {} : { approval }),
  }
  return requirementsOf(intent, contextOf(setting)).length > 0
}

const when = (args_match: Record<string, never | string | number | boolean | object>): Approval =>
  ({ condition: { args_match } }) as Approval

describe('A-03: approvals in the document', () => {
  it.each([
    ['A-04: absent', undefined, false],
    ['A-02: false', false, false],
    ['A-01: true', true, true],
    ['A-05: an empty object', {}, true],
    ['A-06: an object without a condition', { message_template: 'ok?' }, true],
    ['A-06: a condition that holds', when({ amount: { gt: 10 } }), true],
    ['A-06: a condition that does not', when({ amount: { gt: 100 } }), false],
    ['an empty condition holds always', { condition: {} }, true],
  ] as [string, Approval | undefined, boolean][])('%s', (_, approval, expected) => {
    expect(needed(approval, { amount: 50 })).toBe(expected)
  })
})

describe('OPEN-33: a condition that cannot be evaluated requires approval', () => {
  const gate = when({ amount: { gt: 10 } })

  it.each([
    ['an argument that is left out', {}],
    ['a number in quotes', { amount: '5' }],
    ['null', { amount: null }],
    ['arguments that are not an object', 'amount'],
  ] as [string, Value][])('%s', (_, args) => {
    expect(needed(gate, args)).toBe(true)
    expect(needed(gate, args, { options: { approvalOnUnevaluable: 'no-match' } })).toBe(false)
  })

  it('a condition that cannot match requires no approval', () => {
    expect(needed(when({ amount: { gt: 10 }, to: 'bank' }), { amount: 5 })).toBe(false)
  })

  it('names of prototype properties are ordinary arguments', () => {
    expect(needed(when({ constructor: 'x' }), { amount: 1 }, { options: { approvalOnUnevaluable: 'no-match' } })).toBe(
      false,
    )
    expect(needed(when({ constructor: 'x' }), { constructor: 'x' } as never)).toBe(true)
  })
})

describe('OPEN-39: keys of conditions', () => {
  it('for tools, one argument, including dots', () => {
    const dotted = when({ 'a.b': 1 })
    expect(needed(dotted, { 'a.b': 1 })).toBe(true)
    expect(needed(dotted, { 'a.b': 2, a: { b: 1 } })).toBe(false)
  })

  it('A-09: for delegations, the input of the calling agent', () => {
    const gate = when({ 'parent.input.risk': 'high' })
    expect(needed(gate, { risk: 'low' }, { input: { risk: 'high' } }, 'input')).toBe(true)
    expect(needed(gate, { risk: 'high' }, { input: { risk: 'low' } }, 'input')).toBe(false)
    expect(needed(when({ risk: 'high' }), {}, { input: { risk: 'low' } }, 'input')).toBe(true)
  })
})

describe('A-08: governance only adds', () => {
  const asks = (rule: NonNullable<GovernancePolicy['approvals']>[number]): Setting => ({
    policies: [{ id: 'org.ask', approvals: [rule] }],
  })

  it.each([
    ['always', {}, true],
    ['by target', { targets: ['pay'] }, true],
    ['by another target', { targets: ['look'] }, false],
    ['by kind', { kinds: ['tool'] }, true],
    ['by another kind', { kinds: ['agent'] }, false],
    ['by a condition', { condition: { args_match: { amount: { gt: 1 } } } }, true],
    ['by a condition that does not hold', { condition: { args_match: { amount: { gt: 100 } } } }, false],
    ['by a condition that cannot be judged', { condition: { args_match: { other: 1 } } }, true],
  ] as [string, NonNullable<GovernancePolicy['approvals']>[number], boolean][])('%s', (_, rule, expected) => {
    expect(needed(false, { amount: 50 }, asks(rule))).toBe(expected)
  })
})
