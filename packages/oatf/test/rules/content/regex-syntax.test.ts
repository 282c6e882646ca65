import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const indicator = (fields: string) => `attack: {indicators: [{${fields}}]}`
const state = (fields: string) => `attack: {execution: {state: {${fields}}}}`

testRule('V-013', {
  valid: [
    indicator(`pattern: {regex: 'id_rsa|passwd'}`),
    indicator(`pattern: {contains: '[unclosed', condition: '[unclosed'}`),
    indicator('pattern: regex'),
    indicator(`expression: {regex: '['}`),
    `attack: {execution: {phases: [{trigger: {match: {regex: '['}}, extractors: [{type: json_path, selector: '['}]}]}}`,
    state(`tools: [{inputSchema: {regex: '['}}]`),
    `attack: {execution: {mode: voice_server, state: {responses: [{when: {a: {regex: '['}}}]}}}`,
  ],
  invalid: [
    [indicator(`pattern: {regex: '(?=.*secret)x'}`), 'attack.indicators[0].pattern.regex'],
    [indicator(`pattern: {regex: '(a)\\1'}`), 'attack.indicators[0].pattern.regex'],
    [indicator(`pattern: {condition: {regex: '[unclosed'}}`), 'attack.indicators[0].pattern.condition.regex'],
    [indicator('pattern: {regex: 5}'), 'attack.indicators[0].pattern.regex'],
    [
      `attack: {execution: {phases: [{trigger: {match: {arguments.command: {regex: '[unclosed'}}}}]}}`,
      'attack.execution.phases[0].trigger.match.arguments.command.regex',
    ],
    [
      `attack: {execution: {phases: [{extractors: [{type: regex, selector: '(a'}]}]}}`,
      'attack.execution.phases[0].extractors[0].selector',
    ],
    [
      state(`tools: [{responses: [{when: {a.b: {regex: '*'}}}]}], elicitations: [{when: {c: {regex: ')'}}}]`),
      'attack.execution.state.tools[0].responses[0].when.a.b.regex',
      'attack.execution.state.elicitations[0].when.c.regex',
    ],
    [
      `attack: {execution: {actors: [{phases: [{state: {task_responses: [{when: {a: {regex: '+'}}}]}}]}]}}`,
      'attack.execution.actors[0].phases[0].state.task_responses[0].when.a.regex',
    ],
  ],
  message: 'RE2 has no lookaround',
})

test.each([
  ['(?!', 'A(?!.*B)'],
  ['(?<!', '(?<!B)A'],
  ['(?=', '(?=.*A)B'],
  ['(?<=', '(?<=B)A as BA'],
])('%s has advice of its own', (mark, advice) => {
  const [found] = findings('V-013', indicator(`pattern: {regex: 'a${mark}b)'}`))
  expect(found?.message).toContain(`RE2 has no lookaround: write ${advice}`)
})
