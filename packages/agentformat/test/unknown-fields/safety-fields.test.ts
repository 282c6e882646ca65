import { describe, expect, test } from 'vitest'
import { meantSafetyField } from '../../src/unknown-fields/safety-fields.ts'

describe('OPEN-2: near misses of safety fields', () => {
  test.each([
    ['aproval', 'approval'],
    ['approvals', 'approval'],
    ['Approval', 'approval'],
    ['conditions', 'condition'],
    ['arg_match', 'args_match'],
    ['argsMatch', 'args_match'],
    ['allow_tools', 'allowed_tools'],
    ['allow_skills', 'allowed_skills'],
    ['allowedTools', 'allowed_tools'],
    ['constraint', 'constraints'],
    ['limit', 'limits'],
    ['budgets', 'budget'],
    ['governance_policy', 'governance_policies'],
    ['requird', 'required'],
    ['max_tokens_usage', 'max_token_usage'],
    ['maxSteps', 'max_steps'],
  ])('%s stands for %s', (name, meant) => {
    expect(meantSafetyField(name, [])).toBe(meant)
  })

  test('one in the wrong place is one that does nothing', () => {
    expect(meantSafetyField('approval', ['alias'])).toBe('approval')
  })

  test('what the place has comes first', () => {
    expect(meantSafetyField('allowed_tool', ['allowed_tools'])).toBe('allowed_tools')
    expect(meantSafetyField('allow', ['allowed_skills'])).not.toBe('allowed_tools')
  })

  test.each(['max_cost', 'maxCost', 'max-cost', 'maximum_cost'])('%s is meant to limit something', (name) => {
    expect(meantSafetyField(name, [])).toBe(name)
  })

  test.each(['notes', 'reasoning_effort', 'maxim', 'x', 'owner', '__proto__'])('%s is not one', (name) => {
    expect(meantSafetyField(name, [])).toBeUndefined()
  })
})
