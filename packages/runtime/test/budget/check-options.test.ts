import { describe, expect, it } from 'vitest'
import { optionFaults } from '../../src/budget/check-options.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { leaf } from '../support/agents.ts'
import { errorOf } from '../support/run.ts'

// Options as a host without a type checker may pass them.
const host = (options: object) => options as RuntimeOptions

describe('the numbers of a host', () => {
  it.each([
    {},
    { limits: {} },
    { limits: { max_llm_calls: 0, max_duration_seconds: 0.5 }, timeouts: { toolMs: 1 }, batchConcurrency: 1 },
    { limits: { max_llm_calls: undefined }, timeouts: undefined },
  ])('right: %o', (options) => {
    expect(optionFaults(host(options))).toEqual([])
  })

  it.each([
    [{ limits: { max_llm_calls: Number.NaN } }, 'limits: max_llm_calls must be a number of at least 0, not NaN'],
    [{ limits: { max_tool_calls: -1 } }, 'limits: max_tool_calls must be a number of at least 0, not -1'],
    [{ limits: { max_token_usage: '5' } }, 'limits: max_token_usage must be a number of at least 0, not a string'],
    [
      { limits: { max_duration_seconds: Number.POSITIVE_INFINITY } },
      'limits: max_duration_seconds must be a number of at least 0, not Infinity',
    ],
    [{ limits: { max_llm_call: 0 } }, 'limits: there is no "max_llm_call". Did you mean "max_llm_calls"?'],
    [{ limits: 3 }, 'limits: it must be an object, not an integer'],
    [{ limits: null }, 'limits: it must be an object, not null'],
    [{ timeouts: { toolMs: 0 } }, 'timeouts: toolMs must be a number of milliseconds above 0, not 0'],
    [{ timeouts: { modelMs: Number.NaN } }, 'timeouts: modelMs must be a number of milliseconds above 0, not NaN'],
    [{ timeouts: { toolms: 5 } }, 'timeouts: there is no "toolms". Did you mean "toolMs"?'],
    [{ batchConcurrency: 1.5 }, 'batchConcurrency must be a whole number of at least 1, not 1.5'],
    [{ callConcurrency: 0 }, 'callConcurrency must be a whole number of at least 1, not 0'],
  ])('wrong: %o', (options, fault) => {
    expect(optionFaults(host(options))).toEqual([fault])
  })

  it('that are wrong stop a run before it begins', async () => {
    let ran = false
    const agent = leaf(() => {
      ran = true
      return null
    })
    const wrong = { limits: { max_duration_seconds: Number.NaN }, timeouts: { connectMs: Number.NaN } }
    expect(await errorOf(agent, null, wrong)).toMatchObject({ code: 'config_invalid', details: [{}, {}] })
    expect(await errorOf(agent, null, host({ limits: null }))).toMatchObject({ code: 'config_invalid' })
    expect(ran).toBe(false)
  })
})
