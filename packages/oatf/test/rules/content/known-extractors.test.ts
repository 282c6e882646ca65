import { messageWithHint } from '@joust/source'
import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const actors = (text: string) => `attack:
  execution:
    actors:
      - name: actor_a
        phases:
          - {extractors: [{name: early}]}
          - {state: {text: '${text}'}}
          - {extractors: [{name: late}, {name: 5}, text]}
      - {name: actor_b, phases: [{extractors: [{name: value}]}]}`

const path = 'attack.execution.actors[0].phases[1].state.text'

testRule('W-004', {
  valid: [
    actors('{{early}} {{late}}'),
    actors('{{actor_b.value}} {{actor_a.early}}'),
    actors('{{request.anything.at.all}} {{response.x}}'),
    actors('{{unknown_actor.value}}'),
    actors('\\{{nothing}} {{unclosed'),
    'attack: {execution: {phases: [{state: "{{a}}", extractors: [{name: a}]}]}}',
    'attack: {execution: {phases: [{state: "{{default.a}}", extractors: [{name: a}]}]}}',
  ],
  invalid: [
    [actors('{{eraly}}'), path],
    [actors('{{a}} {{a}} {{b}}'), path, path],
    [actors('{{constructor}} {{__proto__}}'), path, path],
    [actors('{{actor_b.early}}'), path],
    [actors('{{a.b.c}}'), path],
    [actors('{{ early }}'), path],
    [actors('{{}}'), path],
    [actors('{{request}}'), path],
    ['attack: {execution: {state: {text: "{{early}}"}}}', 'attack.execution.state.text'],
    [
      'attack: {execution: {phases: [{on_enter: [{log: {message: "{{x}}"}}, {send: {params: ["{{y}}"]}}]}]}}',
      'attack.execution.phases[0].on_enter[0].log.message',
      'attack.execution.phases[0].on_enter[1].send.params[0]',
    ],
  ],
  message: 'Did you mean "{{early}}"?',
})

test.each([
  ['{{value}}', 'Did you mean "{{actor_b.value}}"?'],
  ['{{actor_b.valeu}}', 'no such extractor in the actor "actor_b". Did you mean "{{actor_b.value}}"?'],
  ['{{ early }}', 'contains spaces, which are part of the name. Did you mean "{{early}}"?'],
  ['{{open {{early}}', 'not closed'],
  ['{{a.b.c}}', 'expected an extractor, actor.extractor'],
])('explains %s', (text, message) => {
  const [found] = findings('W-004', actors(text))
  expect(found && messageWithHint(found)).toContain(message)
  if (found?.suggestion !== undefined) expect(found.suggestion).toMatchObject({ replace: 'value', part: text })
})

test('looks into actors that share a name', () => {
  const twice = `attack: {execution: {actors: [
    {name: a, phases: [{extractors: [{name: x}]}]},
    {name: a, phases: [{extractors: [{name: y}]}]},
    {phases: [{state: "{{a.x}} {{a.y}} {{a.z}}"}]}]}}`
  expect(findings('W-004', twice).map((found) => found.message)).toEqual([expect.stringContaining('"a.z"')])
})

test('many names and many references take no time worth mentioning', () => {
  const name = (index: number) => `${'n'.repeat(50)}${index}`
  const names = Array.from({ length: 10_000 }, (_, index) => `{name: ${name(index)}}`)
  const references = Array.from({ length: 10_000 }, (_, index) => `"{{${name(index)}x}}"`)
  const text = `attack: {execution: {phases: [{state: [${references.join(', ')}], extractors: [${names.join(', ')}]}]}}`
  expect(findings('W-004', text)).toHaveLength(10_000)
})
