import { describe, expect, it } from 'vitest'
import { optionProblems } from '../../src/budget/check-options.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { leaf } from '../support/agents.ts'
import { errorOf } from '../support/run.ts'

// Options as a host without a type checker may pass them.
const host = (options: object) => options as RuntimeOptions

const AT_LEAST_0 = 'must be a number of at least 0'
const POSITIVE = 'must be a number of milliseconds greater than 0'
const AT_LEAST_1 = 'must be an integer of at least 1'

describe('numeric options of a host', () => {
  it.each([
    {},
    { limits: {} },
    { limits: { max_llm_calls: 0, max_duration_seconds: 0.5 }, timeouts: { toolMs: 1 }, batchConcurrency: 1 },
    { limits: { max_llm_calls: undefined }, timeouts: undefined },
  ])('valid: %o', (options) => {
    expect(optionProblems(host(options))).toEqual([])
  })

  it.each([
    [{ limits: { max_llm_calls: Number.NaN } }, `limits: max_llm_calls ${AT_LEAST_0}, not NaN`],
    [{ limits: { max_tool_calls: -1 } }, `limits: max_tool_calls ${AT_LEAST_0}, not -1`],
    [{ limits: { max_token_usage: '5' } }, `limits: max_token_usage ${AT_LEAST_0}, not a string`],
    [
      { limits: { max_duration_seconds: Number.POSITIVE_INFINITY } },
      `limits: max_duration_seconds ${AT_LEAST_0}, not Infinity`,
    ],
    [{ limits: { max_llm_call: 0 } }, 'limits: unknown key "max_llm_call". Did you mean "max_llm_calls"?'],
    [{ limits: 3 }, 'limits: expected an object, got an integer'],
    [{ limits: null }, 'limits: expected an object, got null'],
    [{ timeouts: { toolMs: 0 } }, `timeouts: toolMs ${POSITIVE}, not 0`],
    [{ timeouts: { modelMs: Number.NaN } }, `timeouts: modelMs ${POSITIVE}, not NaN`],
    [{ timeouts: { toolms: 5 } }, 'timeouts: unknown key "toolms". Did you mean "toolMs"?'],
    [{ batchConcurrency: 1.5 }, `batchConcurrency ${AT_LEAST_1}, not 1.5`],
    [{ callConcurrency: 0 }, `callConcurrency ${AT_LEAST_1}, not 0`],
  ])('invalid: %o', (options, fault) => {
    expect(optionProblems(host(options))).toEqual([fault])
  })

  it('that are invalid stop a run before it starts', async () => {
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
