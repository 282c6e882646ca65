import { testRule } from '../harness.ts'

const variables = (value: string) => `attack: {indicators: [{expression: {variables: ${value}}}]}`
const path = 'attack.indicators[0].expression.variables'

testRule('V-026', {
  valid: [
    variables('{desc: tools.name, whole: "", dashed: a-b.c_d.0}'),
    variables('{}'),
    'attack: {indicators: [{expression: {cel: x}}, {expression: text}, {variables: {a: "["}}]}',
  ],
  invalid: [
    [variables('{desc: "tools[*].name"}'), `${path}.desc`],
    [variables('{a: "b[0]", c: d..e, f: "g h", i: ok}'), `${path}.a`, `${path}.c`, `${path}.f`],
    [variables('{a: 5}'), `${path}.a`],
    [variables(`{a: ${Array(129).fill('b').join('.')}}`), `${path}.a`],
    [variables('{a: null}'), `${path}.a`],
    [variables('[tools]'), path],
    [variables('text'), path],
  ],
  message: 'invalid path "tools[*].name"',
})
