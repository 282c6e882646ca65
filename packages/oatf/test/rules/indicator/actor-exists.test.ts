import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const actors = (names: string, actor: string) => `attack:
  execution:
    actors: [${names}]
  indicators:
    - actor: ${actor}`
const path = 'attack.indicators[0].actor'

testRule('V-048', {
  valid: [
    actors('{name: server}, {name: client}', 'client'),
    actors('', 'absent'),
    'attack: {execution: {state: {}}, indicators: [{actor: default}, {}]}',
    'attack: {execution: {phases: []}, indicators: [{actor: default}]}',
    'attack: {indicators: [{actor: absent}]}',
  ],
  invalid: [
    [actors('{name: mcp_attacker}, text, {}', 'mcp_atacker'), path],
    [actors('{name: server}', 'default'), path],
    [actors('{name: server}', 'toString'), path],
    [actors('{name: server}', '5'), path],
    ['attack: {execution: {state: {}}, indicators: [{actor: server}]}', path],
  ],
  message: 'unknown actor "mcp_atacker". Did you mean "mcp_attacker"?',
})

test.each([
  ['{name: red}, {name: blue}', 'Expected one of: "red", "blue"'],
  [
    '{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}',
    'Expected one of: "a", "b", "c", "d", "e", and 1 more',
  ],
])('lists the actors %s', (names, message) => {
  expect(findings('V-048', actors(names, 'something_else'))[0]?.message).toContain(message)
})
