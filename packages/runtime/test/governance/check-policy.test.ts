import { describe, expect, it } from 'vitest'
import { policyProblem } from '../../src/governance/check-policy.ts'
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
  ])('valid: %o', (parts) => {
    expect(policyProblem({ id: 'org.a', ...parts })).toBeUndefined()
  })

  it.each<[object, string]>([
    [{ limit: { max_llm_calls: 1 } }, 'policy: unknown key "limit". Did you mean "limits"?'],
    [{ limits: { max_llm_calls: Number.NaN } }, 'policy.limits: max_llm_calls must be a number'],
    [{ limits: { max_token_usage: 1 } }, 'policy.limits: unknown key "max_token_usage".'],
    [{ budget: { max_tokens: 1 } }, 'policy.budget: unknown key "max_tokens".'],
    [{ budget: [] }, 'policy.budget: expected an object, got a list'],
    [{ deny_tools: 'shell' }, 'policy.deny_tools must be a list, not a string'],
    [{ deny_tools: ['a', 1] }, 'policy.deny_tools[1] must be a string, not an integer'],
    [{ allowed_tools: 'foo' }, 'policy.allowed_tools must be a list, not a string'],
    [{ allowed_tools: null }, 'policy.allowed_tools must be a list, not null'],
    [{ approvals: {} }, 'policy.approvals must be a list, not a mapping'],
    [{ approvals: [true] }, 'policy.approvals[0] must be an object, not a boolean'],
    [{ approvals: [{ target: ['a'] }] }, 'policy.approvals[0]: unknown key "target". Did you mean "targets"?'],
    [{ approvals: [{ targets: 'a' }] }, 'policy.approvals[0].targets must be a list, not a string'],
    [{ approvals: [{ kinds: ['tools'] }] }, 'policy.approvals[0].kinds[0] must be one of tool, '],
    [{ approvals: [{ condition: [] }] }, 'policy.approvals[0].condition must be a non-empty list'],
    [{ approvals: [{ condition: { match: {} } }] }, 'policy.approvals[0].condition: unknown key "match".'],
    [matching([]), 'policy.approvals[0].condition.args_match must be an object, not a list'],
    [matching({ a: { above: 1 } }), 'policy.approvals[0].condition.args_match.a: unknown key "above".'],
    [matching({ a: { gt: '1' } }), 'policy.approvals[0].condition.args_match.a.gt must be a number, not a string'],
    [matching({ a: { pattern: '(' } }), 'policy.approvals[0].condition.args_match.a.pattern must be a pattern'],
    [matching({ a: null }), 'policy.approvals[0].condition.args_match.a must be a literal, not null'],
    [{ guardrails: {} }, 'policy.guardrails must be a list, not a mapping'],
    [{ guardrails: [{ name: 'g' }] }, 'policy.guardrails[0].check must be a function, not undefined'],
    [{ audit: 'log' }, 'policy.audit must be a function, not a string'],
  ])('invalid: %o', (parts, fault) => {
    expect(policyProblem({ id: 'org.a', ...parts })).toContain(fault)
  })

  it.each([null, undefined, 'allow', [], {}, { id: 3 }])('not a policy: %o', (thing) => {
    expect(policyProblem(thing)).toBe('the registry did not return a policy')
  })
})

describe('a policy from a registry', () => {
  const wrong = { id: 'org.a', deny_tools: 'shell' } as never

  it('that is invalid counts as not found', async () => {
    const agent = leaf(() => 1, { constraints: { governance_policies: [{ policy_ref: 'org.a' }] } })
    const error = await errorOf(agent, null, { governance: { resolve: () => wrong } })
    expect(error).toMatchObject({
      code: 'policy_unresolved',
      message: expect.stringMatching(/^org\.a: policy\.deny_tools must be a list/),
    })
  })

  it.each([
    ['a wrong policy', [wrong]],
    ['no list', { id: 'org.a' } as never],
    ['nothing', undefined as never],
  ])('stops the run as an implicit policy: %s', async (_, policies) => {
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
