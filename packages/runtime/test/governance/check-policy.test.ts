import { describe, expect, it } from 'vitest'
import { policyFault } from '../../src/governance/check-policy.ts'
import { leaf } from '../support/agents.ts'
import { errorOf } from '../support/run.ts'

class Guard {
  readonly name = 'guard'
  readonly seen: string[] = []
  check() {
    return { allowed: true }
  }
}

const matching = (args_match: unknown) => ({ approvals: [{ condition: { args_match } }] })

describe('a policy', () => {
  it.each<object>([
    {},
    { budget: { max_token_usage: 0, max_duration_seconds: 1.5 }, limits: { max_llm_calls: 1 } },
    { allowed_tools: [], deny_tools: ['shell'], audit: () => {} },
    { approvals: [{}, { targets: ['a'], kinds: ['tool', 'sampling'], message_template: 'x', condition: {} }] },
    { approvals: [{ condition: [{ args_match: { a: 1, b: { gt: 1, in: ['x'], pattern: '^a' } } }] }] },
    { guardrails: [new Guard(), { name: 'g', check: () => ({ allowed: true }) }] },
    { limits: undefined, deny_tools: undefined },
  ])('right: %o', (parts) => {
    expect(policyFault({ id: 'org.a', ...parts })).toBeUndefined()
  })

  it.each<[object, string]>([
    [{ limit: { max_llm_calls: 1 } }, 'it: there is no "limit". Did you mean "limits"?'],
    [{ limits: { max_llm_calls: Number.NaN } }, 'it.limits: max_llm_calls must be a number of at least 0, not NaN'],
    [{ limits: { max_token_usage: 1 } }, 'it.limits: there is no "max_token_usage".'],
    [{ budget: { max_tokens: 1 } }, 'it.budget: there is no "max_tokens".'],
    [{ budget: [] }, 'it.budget: it must be an object, not a list'],
    [{ deny_tools: 'shell' }, 'it.deny_tools must be a list, not a string'],
    [{ deny_tools: ['a', 1] }, 'it.deny_tools[1] must be a text, not an integer'],
    [{ allowed_tools: 'foo' }, 'it.allowed_tools must be a list, not a string'],
    [{ allowed_tools: null }, 'it.allowed_tools must be a list, not null'],
    [{ approvals: {} }, 'it.approvals must be a list, not a mapping'],
    [{ approvals: [true] }, 'it.approvals[0] must be an object, not a boolean'],
    [{ approvals: [{ target: ['a'] }] }, 'it.approvals[0]: there is no "target". Did you mean "targets"?'],
    [{ approvals: [{ targets: 'a' }] }, 'it.approvals[0].targets must be a list, not a string'],
    [{ approvals: [{ kinds: ['tools'] }] }, 'it.approvals[0].kinds[0] must be one of tool, '],
    [{ approvals: [{ condition: [] }] }, 'it.approvals[0].condition must be a list with a group'],
    [{ approvals: [{ condition: { match: {} } }] }, 'it.approvals[0].condition: there is no "match".'],
    [matching([]), 'it.approvals[0].condition.args_match must be an object, not a list'],
    [matching({ a: { above: 1 } }), 'it.approvals[0].condition.args_match.a: there is no "above".'],
    [matching({ a: { gt: '1' } }), 'it.approvals[0].condition.args_match.a.gt must be a number, not a string'],
    [matching({ a: { pattern: '(' } }), 'it.approvals[0].condition.args_match.a.pattern must be a pattern'],
    [matching({ a: null }), 'it.approvals[0].condition.args_match.a must be a literal, not null'],
    [{ guardrails: {} }, 'it.guardrails must be a list, not a mapping'],
    [{ guardrails: [{ name: 'g' }] }, 'it.guardrails[0].check must be a function, not undefined'],
    [{ audit: 'log' }, 'it.audit must be a function, not a string'],
  ])('wrong: %o', (parts, fault) => {
    expect(policyFault({ id: 'org.a', ...parts })).toContain(fault)
  })

  it.each([null, undefined, 'allow', [], {}, { id: 3 }])('no policy at all: %o', (thing) => {
    expect(policyFault(thing)).toBe('the registry returned no policy')
  })
})

describe('what a registry gives', () => {
  const wrong = { id: 'org.a', deny_tools: 'shell' } as never

  it('that is wrong counts as not found', async () => {
    const agent = leaf(() => 1, { constraints: { governance_policies: [{ policy_ref: 'org.a' }] } })
    const error = await errorOf(agent, null, { governance: { resolve: () => wrong } })
    expect(error).toMatchObject({
      code: 'policy_unresolved',
      message: expect.stringMatching(/^org\.a: it\.deny_tools must be a list/),
    })
  })

  it.each([
    ['a wrong policy', [wrong]],
    ['no list', { id: 'org.a' } as never],
    ['nothing', undefined as never],
  ])('as implicit policies stops the run: %s', async (_, policies) => {
    const governance = { resolve: () => undefined, implicit: () => policies }
    expect(
      (
        await errorOf(
          leaf(() => 1),
          null,
          { governance },
        )
      ).code,
    ).toBe('policy_unresolved')
  })
})
