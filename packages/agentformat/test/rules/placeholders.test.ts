import { describe, expect, test } from 'vitest'
import { findings, object, testRule } from './harness.ts'

describe('template variables', () => {
  const tool = (template: string) => ({
    space: `{ local_tools: [{ alias: a, approval: { message_template: '${template}' } }] }`,
  })
  const agent = (template: string) => ({
    space: `{ local_agents: [{ alias: a, source: ./a.agf.yaml, approval: { message_template: '${template}' } }] }`,
  })

  testRule('OPEN-41', 'unknown_variable', {
    severity: 'warning',
    valid: [
      tool('Pay {{tool_args.amount.value}} with {{ tool_name }} for {{agent_id}}, {{agent_name}}?'),
      tool('Braces {{ that never close'),
      agent('Ask {{agent_alias}} about {{input.topic}}?'),
    ],
    invalid: [
      [tool('Pay {{tool_arg.amount}} {{tool_arg.amount}}?'), 'action_space.local_tools[0].approval.message_template'],
      [tool('Pay {{input.amount}}?'), 'action_space.local_tools[0].approval.message_template'],
      [agent('Pay {{tool_args.amount}}?'), 'action_space.local_agents[0].approval.message_template'],
      [tool('{{#each}}'), 'action_space.local_tools[0].approval.message_template'],
      [
        {
          space:
            "{ mcp_servers: [{ alias: s, approval: { message_template: '{{a}}' }, allowed_tools: [x, { name: y, approval: { message_template: '{{b}}' } }] }] }",
        },
        'action_space.mcp_servers[0].approval.message_template',
        'action_space.mcp_servers[0].allowed_tools[1].approval.message_template',
      ],
      [
        {
          space:
            "{ remote_agents: [{ alias: r, approval: { message_template: '{{tool_args.x}} {{input.y}} {{a}}' }, allowed_skills: [x, { id: y, approval: { message_template: '{{input.b}}' } }] }] }",
        },
        'action_space.remote_agents[0].approval.message_template',
        'action_space.remote_agents[0].allowed_skills[1].approval.message_template',
      ],
    ],
    message: 'unknown placeholder "tool_arg.amount"; available: tool_args',
  })

  test('OPEN-41 suggests a similar name', () => {
    expect(findings('OPEN-41', 'unknown_variable', tool('{{tool_arg.x}}'))[0]?.suggestion).toEqual({
      ...{ replace: 'value', part: 'tool_arg', with: 'tool_args' },
    })
  })
})

describe('prompt fields', () => {
  const react = (input: string, template: string) => ({
    input,
    policy: `{ id: agf.react, config: { instructions: Help., model: any, user_prompt_template: '${template}' } }`,
  })
  const at = 'execution_policy.config.user_prompt_template'

  testRule('OPEN-48', 'unknown_variable', {
    severity: 'warning',
    valid: [
      react(object('query: string'), 'Answer {{query}} {{ query }}'),
      react('{ type: string }', 'Answer {{input}}'),
      react('{}', 'Answer {{input}}'),
      react('{ properties: { a: { properties: { b: {} } } } }', '{{a.b}}'),
    ],
    invalid: [
      [react(object('query: string'), '{{qery}}'), at],
      [react('{ type: string }', '{{query}}'), at],
      [react(object('query: string'), '{{query}} {{#section}} {{input}}'), at, at],
    ],
    message:
      'unknown placeholder "qery": the input does not declare this field, so the placeholder may be empty. Did you mean "query"?',
  })

  test('OPEN-48 has a low level for an input without declared fields', () => {
    expect(findings('OPEN-48', 'unknown_variable', react('{ type: object }', '{{query}}'))).toMatchObject([
      { level: 'info' },
    ])
  })
})
