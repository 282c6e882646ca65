import { expect, test } from 'vitest'
import { deadIndicators, strangeIndicators } from '../src/dead-indicators.ts'
import { load } from '../src/load.ts'

function documentWith(...indicators: string[]) {
  const loaded = load(
    `oatf: "0.1"\nattack:\n  execution: { mode: mcp_server, state: { tools: [{ name: a }] } }\n  indicators:\n${indicators.map((one) => `    - { ${one} }\n`).join('')}`,
  )
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  return loaded.value.document
}

const contains = 'pattern: { contains: x }'

test('one letter wrong: which indicators no message can match', () => {
  const document = documentWith(
    `id: dead, surface: tools/call, target: params.arguments, ${contains}`,
    `id: alive, surface: tools/call, target: arguments, ${contains}`,
    `id: way, surface: notifications/initialized, direction: response, target: "", ${contains}`,
    `id: other, protocol: a2a, target: "", ${contains}`,
    `id: strange, surface: tool/call, target: arguments, ${contains}`,
  )
  expect(deadIndicators(document)).toEqual([0, 2, 3])
})

test('an expression is dead by what it reads', () => {
  const reads = (cel: string) => `target: "", expression: { cel: '${cel}', variables: { gone: params.nothing } }`
  const document = documentWith(
    `id: dead, surface: tools/call, ${reads('gone == "x"')}`,
    `id: alive, surface: tools/call, ${reads('gone == "x" || message.name == "a"')}`,
  )
  expect(deadIndicators(document)).toEqual([0])
})

test('one letter wrong: which indicators are on a surface that the binding does not know', () => {
  const document = documentWith(
    `id: misspelled, surface: tool/call, target: "", ${contains}`,
    `id: newer, surface: tools/dance, target: "", ${contains}`,
    `id: known, surface: tools/call, target: "", ${contains}`,
    `target: "", ${contains}`,
    `id: foreign, protocol: mail, surface: tool/call, target: "", ${contains}`,
  )
  expect(strangeIndicators(document)).toEqual([0, 1])
})

test('indicators have their ids also where nobody gave them one', () => {
  expect(deadIndicators(documentWith(`target: params.nothing, ${contains}`))).toHaveLength(1)
})
