import { testRule } from '../harness.ts'

const state = (fields: string) => `attack: {execution: {state: {${fields}}}}`

testRule('V-033', {
  valid: [
    state('tools: [{responses: [{when: {a: 1}}, {content: x}]}, {responses: [{content: y}]}]'),
    state('sampling_responses: [{content: x}, {when: {a: 1}}], task_responses: [{content: x}]'),
    state('tools: [{responses: [{content: x}, text, 5]}]'),
    state('tools: [{outputSchema: {responses: [{}, {}]}}], elicitations: [{}, {}]'),
    state('responses: text'),
  ],
  invalid: [
    [state('tools: [{responses: [{when: {}}, {a: x}, {b: x}]}]'), 'attack.execution.state.tools[0].responses'],
    [state('tools: [{responses: [{}, {}, {}, {}]}]'), 'attack.execution.state.tools[0].responses'],
    [state('prompts: [{}, {responses: [{}, {}]}]'), 'attack.execution.state.prompts[1].responses'],
    [state('sampling_responses: [{}, {when: {}}, {}]'), 'attack.execution.state.sampling_responses'],
    [state('elicitation_responses: [{}, {}]'), 'attack.execution.state.elicitation_responses'],
    [state('task_responses: [{}, {}]'), 'attack.execution.state.task_responses'],
    [state('tool_responses: [{}, {}]'), 'attack.execution.state.tool_responses'],
    [
      'attack: {execution: {actors: [{phases: [{}, {state: {task_responses: [{}, {}]}}]}]}}',
      'attack.execution.actors[0].phases[1].state.task_responses',
    ],
  ],
  message: 'entries 1 and 2 both lack "when"',
})
