import { testRule } from '../harness.ts'

const phase = (fields: string) => `attack: {execution: {phases: [{${fields}}]}}`

testRule('V-016', {
  valid: [
    phase('state: {text: "Result for {{request.arguments.query}}"}'),
    phase('state: {text: "Literal \\\\{{not_a_template here"}'),
    phase('state: {text: "}} { {"}'),
    phase('state: {"{{key": text}, description: "{{prose"'),
    'attack: {indicators: [{pattern: {contains: "{{"}}]}',
  ],
  invalid: [
    [phase('state: {text: "Result for {{unclosed"}'), 'attack.execution.phases[0].state.text'],
    [phase('state: "{{"'), 'attack.execution.phases[0].state'],
    [
      phase('state: {tools: [{responses: [{content: {content: [{text: "{{a}} {{b"}]}}]}]}'),
      'attack.execution.phases[0].state.tools[0].responses[0].content.content[0].text',
    ],
    [
      phase('on_enter: [{log: {message: "{{a}"}}, {custom: ["{{b"]}]'),
      'attack.execution.phases[0].on_enter[0].log.message',
      'attack.execution.phases[0].on_enter[1].custom[0]',
    ],
    ['attack: {execution: {state: {a: ["{{x"]}}}', 'attack.execution.state.a[0]'],
    [
      'attack: {execution: {actors: [{phases: [{state: {a: "{{x"}}]}]}}',
      'attack.execution.actors[0].phases[0].state.a',
    ],
  ],
  message: 'unclosed template "{{unclosed"',
})
