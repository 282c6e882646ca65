import { testRule } from '../harness.ts'

const deep = Array(129).fill('a').join('.')
const indicator = (fields: string) => `oatf: "0.1"\nattack:\n  indicators:\n    - ${fields}`

testRule('V-021', {
  valid: [
    indicator('target: "tools[*].description"'),
    indicator('target: ""'),
    indicator(`target: ${deep.slice(2)}`),
    indicator('{target: a-b.c_d, semantic: {target: "x[*]"}}'),
  ],
  invalid: [
    [indicator('target: "tools[0].name"'), 'attack.indicators[0].target'],
    [indicator('{target: a, pattern: {target: "tools..name"}}'), 'attack.indicators[0].pattern.target'],
    [
      indicator('{target: "tools[*", semantic: {target: "!"}}'),
      'attack.indicators[0].target',
      'attack.indicators[0].semantic.target',
    ],
    [indicator('protocol: mcp'), 'attack.indicators[0].target'],
    [
      indicator(`{target: ${deep}, pattern: {target: "b[*].${deep}"}}`),
      'attack.indicators[0].target',
      'attack.indicators[0].pattern.target',
    ],
    [indicator('target: 5'), 'attack.indicators[0].target'],
    [indicator('{target: a, pattern: {target: null}}'), 'attack.indicators[0].pattern.target'],
  ],
  message: 'numeric index',
})
