import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const actors = (text: string) => `attack:
  execution:
    actors:
      - {name: actor_a, phases: [{state: {text: '${text}'}}]}
      - {name: actor_b, phases: []}`

const path = 'attack.execution.actors[0].phases[0].state.text'

testRule('V-032', {
  valid: [
    actors('{{actor_b.value}} {{actor_a.value}}'),
    actors('{{request.value}} {{response.value}}'),
    actors('{{absent}} {{a.b.c}} {{ absent.value }} {{.value}} {{absent.}}'),
    actors('\\{{absent.value}}'),
    'attack: {execution: {state: {text: "{{default.value}}"}}}',
    'attack: {execution: {phases: [{state: {text: "{{default.value}}"}}]}}',
  ],
  invalid: [
    [actors('{{actr_b.value}}'), path],
    [actors('{{toString.value}}'), path],
    [actors('{{x.a}} {{x.a}} {{y.a}}'), path, path],
    ['attack: {execution: {state: {text: "{{actor_a.value}}"}}}', 'attack.execution.state.text'],
    [
      'attack: {execution: {phases: [{on_enter: [{log: {message: "{{x.y}}"}}]}]}}',
      'attack.execution.phases[0].on_enter[0].log.message',
    ],
  ],
  message: 'Did you mean "{{actor_b.value}}"?',
})

const toolResponse = (content: string) => `attack:
  execution:
    state:
      tools:
        - responses:
            - content: {}
            - content: ${content}`

test('spells the content of a response as the official fixture does and points at the real place', () => {
  const [found] = findings('V-032', toolResponse('{content: [{text: "{{x.y}}"}]}'))
  expect(found).toMatchObject({ path: 'attack.execution.state.tools[0].response.content[0].text', line: 7, column: 42 })
})

test.each([
  ['[{text: "{{x.y}}"}]', 'attack.execution.state.tools[0].responses[1].content[0].text'],
  ['{contents: ["{{x.y}}"]}', 'attack.execution.state.tools[0].responses[1].content.contents[0]'],
])('spells other places of a response as they are: %s', (content, path) => {
  expect(findings('V-032', toolResponse(content)).map((found) => found.path)).toEqual([path])
})
