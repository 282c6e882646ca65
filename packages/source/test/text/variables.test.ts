import { describe, expect, test } from 'vitest'
import { fillVariables } from '../../src/text/variables.ts'

/** A variable as a file writes it. */
const variable = (name: string) => `\${${name}}`
const environment = { KEY: 'value', EMPTY: '', NESTED: variable('KEY') }

describe('variables', () => {
  test.each([
    ['no variable', 'no variable', []],
    [variable('KEY'), 'value', ['value']],
    [`a-${variable('KEY')}-${variable('KEY')}`, 'a-value-value', ['value', 'value']],
    [variable('EMPTY'), '', ['']],
    ['$KEY $ {KEY} }', '$KEY $ {KEY} }', []],
    [`$${variable('KEY')}`, variable('KEY'), []],
    // The value of a variable is not expanded again.
    [variable('NESTED'), variable('KEY'), [variable('KEY')]],
  ])('%s', (template, text, secrets) => {
    expect(fillVariables(template, environment)).toEqual({ ok: true, value: { text, secrets } })
  })

  test('that are not set are all reported', () => {
    const names = ['ONE', 'TWO', 'toString']
    expect(fillVariables(names.map(variable).join(' '), environment)).toEqual({
      ok: false,
      error: names.map((name) => ({
        code: 'missing_variable',
        message: `the environment variable ${name} is not set`,
      })),
    })
  })

  test.each(['', 'A B', 'KEY:-x', '1'].map(variable).concat('${', '${KEY'))('%s is invalid', (template) => {
    expect(fillVariables(template, environment)).toMatchObject({ ok: false, error: [{ code: 'not_a_variable' }] })
  })
})
