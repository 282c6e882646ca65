import { testRule } from '../harness.ts'

const state = (fields: string) => `attack: {execution: {state: {${fields}}}}`

testRule('W-006', {
  valid: [
    state('tools: [{responses: [{content: {synthesize: x}}, text]}]'),
    state('tools: [{inputSchema: {properties: {synthesize: {type: boolean}}}}]'),
    state('run_agent_input: {messages: [{synthesize: x}]}'),
    state('run_agent_input: text'),
  ],
  invalid: [
    [
      state('tools: [{responses: [{content: x}, {content: y, synthesize: {prompt: z}}]}]'),
      'attack.execution.state.tools[0].responses[1].synthesize',
    ],
    [
      state('sampling_responses: [{synthesize: {}}, {synthesize: null}]'),
      'attack.execution.state.sampling_responses[0].synthesize',
      'attack.execution.state.sampling_responses[1].synthesize',
    ],
    [state('run_agent_input: {synthesize: {prompt: x}}'), 'attack.execution.state.run_agent_input.synthesize'],
  ],
  message: 'reserved for a later version of OATF and ignored without an attacker model',
})
