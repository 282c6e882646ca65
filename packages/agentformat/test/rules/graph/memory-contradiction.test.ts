import { testRule } from '../harness.ts'

const space = (strategy: string) =>
  `{ local_agents: [{ alias: a, source: ./a.agf.yaml, memory_scope_strategy: ${strategy} }] }`
const needs = { a: { memory: '{ required: true }' } }

testRule('OPEN-43', 'memory_contradiction', {
  valid: [
    { space: space('inherit'), agents: needs },
    { space: space('isolated'), agents: needs },
    { space: space('none'), agents: { a: { memory: '{ required: false }' } } },
    { space: space('none'), agents: { a: {} } },
    { space: space('none') },
  ],
  invalid: [[{ space: space('none'), agents: needs }, 'action_space.local_agents[0].memory_scope_strategy']],
  message: '"a" requires memory, but its memory scope is "none"',
})
