import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const variables = (value: string) => `attack:\n  indicators:\n    - expression:\n        variables: ${value}`
const path = 'attack.indicators[0].expression.variables'

testRule('V-039', {
  valid: [variables('{tools: tools, _tools: tools, T9: tools}'), variables('[my-var]'), variables('text')],
  invalid: [
    [variables('{my-var: tools}'), `${path}.my-var`],
    [variables('{my.var: tools}'), `${path}.my.var`],
    [variables('{1a: tools, "": tools, "a\\n": x, ok: x}'), `${path}.1a`, `${path}.`, `${path}.a\n`],
  ],
  message: 'invalid CEL identifier "my-var"',
})

test('points at the key', () => {
  expect(findings('V-039', variables('{ok: tools, my-var: tools}'))[0]).toMatchObject({ line: 4, column: 32 })
})
