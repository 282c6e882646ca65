import { expect, test } from 'vitest'
import { findings, steps, testRule } from '../harness.ts'

const agents = { researcher: {}, writer: {} }
const second = (text: string) => ({ policy: steps('sequential', ['researcher', `writer <- x: ${text}`]), agents })
const at = 'execution_policy.config.steps[1].input_mapping.x'

testRule('P-02', 'unknown_agent', {
  valid: [second('parent.input.query'), second('researcher.output.findings'), second('writer.output.x')],
  invalid: [
    [second('researchr.output.findings'), at],
    [
      { policy: steps('loop', ['researcher'], 'exit_condition: { args_match: { unknown.output.x: 1 } }'), agents },
      'execution_policy.config.exit_condition.args_match.unknown.output.x',
    ],
    [
      {
        policy:
          '{ id: agf.conditional, config: { routes: [{ when: { args_match: { x.output.y: 1 } }, agent: writer }] } }',
        agents,
      },
      'execution_policy.config.routes[0].when.args_match.x.output.y',
    ],
  ],
  message: 'unknown local agent "researchr". Did you mean "researcher"?',
})

test('P-02: a remote agent is not a source', () => {
  const remote = {
    policy: steps('sequential', ['a <- x: far.output.y']),
    space: '{ local_agents: [{ alias: a, source: ./a.agf.yaml }], remote_agents: [{ alias: far }] }',
    agents: { a: {} },
  }
  expect(findings('P-02', 'unknown_agent', remote)[0]?.message).toContain('"far" is a remote agent')
})
