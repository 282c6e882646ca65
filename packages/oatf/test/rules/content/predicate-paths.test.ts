import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const match = (fields: string) => `attack:\n  execution:\n    phases:\n      - trigger:\n          match: ${fields}`
const deep = Array(129).fill('a').join('.')
const state = (fields: string, mode = '') => `attack: {execution: {${mode}state: {${fields}}}}`

testRule('V-027', {
  valid: [
    match('{arguments.command: run, a-b_c.0: 1, "": x}'),
    match('text'),
    state('sampling_responses: [{when: {role: user}}, {}, text]'),
    state('tools: [{inputSchema: {when: {"a[0]": 1}}}]'),
    ...['task_responses', 'elicitations', 'responses'].map((key) =>
      state(`${key}: [{when: always}, {when: {"a[0]": 1}}]`, 'mode: voice_server, '),
    ),
    state('tools: [{responses: [{when: always}, {when: {"a[0]": 1}}]}]', 'mode: voice_server, '),
  ],
  invalid: [
    [match('{"args[*].cmd": run}'), 'attack.execution.phases[0].trigger.match.args[*].cmd'],
    [
      match('{a..b: 1, "c[0]": 2, "d e": 3}'),
      'attack.execution.phases[0].trigger.match.a..b',
      'attack.execution.phases[0].trigger.match.c[0]',
      'attack.execution.phases[0].trigger.match.d e',
    ],
    [
      state('sampling_responses: [{when: {"messages[*].role": user}}]'),
      'attack.execution.state.sampling_responses[0].when.messages[*].role',
    ],
    [state('elicitation_responses: [{when: {a.: 1}}]'), 'attack.execution.state.elicitation_responses[0].when.a.'],
    [state('task_responses: [{when: {.a: 1}}]'), 'attack.execution.state.task_responses[0].when..a'],
    [state('tool_responses: [{when: {$.a: 1}}]'), 'attack.execution.state.tool_responses[0].when.$.a'],
    [state('prompts: [{responses: [{when: {a!: 1}}]}]'), 'attack.execution.state.prompts[0].responses[0].when.a!'],
    [
      state('task_responses: [{when: text}, {when: null}]'),
      'attack.execution.state.task_responses[0].when',
      'attack.execution.state.task_responses[1].when',
    ],
    [
      state('sampling_responses: [{when: always}, {when: {a!: 1}}]', 'mode: mcp_client, '),
      'attack.execution.state.sampling_responses[0].when',
      'attack.execution.state.sampling_responses[1].when.a!',
    ],
    [match(`{${deep}: 1}`), `attack.execution.phases[0].trigger.match.${deep}`],
    [state('elicitations: [{when: {a!: 1}}]'), 'attack.execution.state.elicitations[0].when.a!'],
  ],
  message: 'invalid path "args[*].cmd"',
})

test('points at the key', () => {
  expect(findings('V-027', match('{a: 1, "b[0]": 2}'))[0]).toMatchObject({ line: 5, column: 25 })
})
