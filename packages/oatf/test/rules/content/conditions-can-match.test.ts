import { testRule } from '../harness.ts'

const pattern = (text: string) => `attack: {indicators: [{target: a, pattern: ${text}}]}`
const match = (text: string) => `attack: {execution: {phases: [{trigger: {event: x, match: ${text}}}]}}`

testRule('W-101', {
  valid: [
    pattern('{condition: {contains: x}}'),
    pattern('{condition: {any_of: [x]}}'),
    pattern('{condition: text}'),
    pattern('{condition: {colour: red}}'),
    pattern('{contains: x}'),
    pattern('text'),
    match('{a: {name: x}, b: 5, c: null}'),
  ],
  invalid: [
    [pattern('{condition: {contians: x}}'), 'attack.indicators[0].pattern.condition.contians'],
    [pattern('{condition: {}}'), 'attack.indicators[0].pattern.condition'],
    [pattern('{condition: {any_of: []}}'), 'attack.indicators[0].pattern.condition.any_of'],
    [pattern('{any_of: []}'), 'attack.indicators[0].pattern.any_of'],
    [match('{a: {start_with: x}}'), 'attack.execution.phases[0].trigger.match.a.start_with'],
    [
      'attack: {execution: {mode: mcp_client, state: {sampling_responses: [{when: {a: {regexp: x}}}]}}}',
      'attack.execution.state.sampling_responses[0].when.a.regexp',
    ],
  ],
  message: 'unknown operator "contians", so the whole object is compared as a value. Did you mean "contains"?',
})
