import { testLint, withActors, withPhases } from '../harness.ts'

const phase = (text: string) =>
  withPhases(
    'mcp_server',
    `- state: { tools: [{ name: a, description: "${text}" }] }
  extractors: [{ name: topic, source: request, type: regex, selector: "(a)" }]
  trigger: { event: tools/call }
- state: { tools: [] }`,
  )
const actors = (text: string) =>
  withActors(`- name: one
  mode: mcp_server
  phases:
    - state: { tools: [] }
      extractors: [{ name: topic, source: request, type: regex, selector: "(a)" }]
- name: two
  mode: mcp_server
  phases: [{ state: { tools: [{ name: a, description: "${text}" }] } }]`)

testLint('L-004', {
  valid: [
    phase('about {{topic}}'),
    actors('about {{one.topic}}'),
    phase('x').replace(
      '- state: { tools: [] }',
      '- state: { tools: [] }\n        on_enter: [{ log: { message: "{{topic}}" } }]',
    ),
  ],
  invalid: [
    [phase('about topic'), 'attack.execution.phases[0].extractors[0].name'],
    [phase('about \\\\{{topic}}'), 'attack.execution.phases[0].extractors[0].name'],
    [actors('about {{topic}}'), 'attack.execution.actors[0].phases[0].extractors[0].name'],
  ],
  messages: [
    'unused extractor "topic": no template contains {{topic}}',
    'unused extractor "topic"',
    'no template contains {{topic}} or {{one.topic}}',
  ],
})
