import { testLint, withPhases, withState } from '../harness.ts'

const server = (state: string) => withState('mcp_server', state)

testLint('L-015', {
  valid: [
    server('tools: [{ name: a }]\nprompts: [{ name: a }]\nresources: [{ uri: "file:///a" }]'),
    server('elicitations: [{ message: a }]'),
    // Reported as a misspelling instead.
    server('tools: [{ nmae: a }]'),
    withState('mail_server', 'tools: [{}]'),
  ],
  invalid: [
    [server('tools: [{ name: a }, { description: b }]'), 'attack.execution.state.tools[1]'],
    [server('resources: [{ name: a, content: { text: b } }]'), 'attack.execution.state.resources[0]'],
    [
      withPhases('mcp_server', '- state: { prompts: [{ title: a }], resource_templates: [{ name: a }] }'),
      'attack.execution.phases[0].state.prompts[0]',
      'attack.execution.phases[0].state.resource_templates[0]',
    ],
  ],
  messages: [
    'the tool has no "name", so agents cannot request it',
    'the resource has no "uri", so agents cannot request it',
    'the prompt has no "name"',
  ],
})
