import { testRule } from '../harness.ts'

const expression = (fields: string) => `attack: {indicators: [{expression: ${fields}}]}`
const path = 'attack.indicators[0].expression.cel'

testRule('V-014', {
  valid: [
    expression('{cel: "message.tools.exists(t, size(t.description) > 100)"}'),
    expression('{cel: "unknown_function(undeclared) == 1"}'),
    expression('text'),
    'attack: {indicators: [{pattern: {cel: "("}}, text]}',
  ],
  invalid: [
    [expression('{cel: "size(message.tools"}'), path],
    [expression('{cel: ""}'), path],
    [expression('{cel: "a = b"}'), path],
    [expression('{cel: true}'), path],
    [expression('{}'), path],
  ],
  message: 'invalid CEL expression: ',
})
