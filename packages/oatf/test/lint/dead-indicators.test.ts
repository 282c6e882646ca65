import { writeYaml } from '@joust/source'
import { expect, test } from 'vitest'
import { load } from '../../src/load.ts'
import { serialize } from '../../src/serialize.ts'
import { sampleDocuments } from '../generators.ts'

function attackWith(...indicators: string[]) {
  const loaded = load(
    `oatf: "0.1"\nattack:\n  execution: { mode: mcp_server, state: { tools: [{ name: a }] } }\n  indicators:\n${indicators.map((one) => `    - { ${one} }\n`).join('')}`,
  )
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  return loaded.value
}

const contains = 'pattern: { contains: x }'

test('indicators that no message can match are dead', () => {
  const attack = attackWith(
    `id: dead, surface: tools/call, target: params.arguments, ${contains}`,
    `id: alive, surface: tools/call, target: arguments, ${contains}`,
    `id: way, surface: notifications/initialized, direction: response, target: "", ${contains}`,
    `id: other, protocol: a2a, target: "", ${contains}`,
    `id: strange, surface: tool/call, target: arguments, ${contains}`,
  )
  expect(attack.deadIndicators).toEqual([0, 2, 3])
})

test('an expression that reads only missing fields is dead', () => {
  const reads = (cel: string) => `target: "", expression: { cel: '${cel}', variables: { gone: params.nothing } }`
  const attack = attackWith(
    `id: dead, surface: tools/call, ${reads('gone == "x"')}`,
    `id: alive, surface: tools/call, ${reads('gone == "x" || message.name == "a"')}`,
  )
  expect(attack.deadIndicators).toEqual([0])
})

test('indicators on a surface that the binding does not define are listed', () => {
  const attack = attackWith(
    `id: misspelled, surface: tool/call, target: "", ${contains}`,
    `id: newer, surface: tools/dance, target: "", ${contains}`,
    `id: known, surface: tools/call, target: "", ${contains}`,
    `target: "", ${contains}`,
    `id: foreign, protocol: mail, surface: tool/call, target: "", ${contains}`,
  )
  expect(attack.unknownSurfaceIndicators).toEqual([0, 1])
})

test('indicators without an id get one', () => {
  expect(attackWith(`target: params.nothing, ${contains}`).deadIndicators).toHaveLength(1)
})

test('normalization does not change the positions of indicators', () => {
  const silent = (text: string) => {
    const loaded = load(text, { strict: true })
    if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
    return { dead: loaded.value.deadIndicators, strange: loaded.value.unknownSurfaceIndicators }
  }
  const documents = sampleDocuments(40, 23)
  // Documents are plain values.
  const written = documents.map((document) => silent(writeYaml(document as never)))
  expect(written).toEqual(documents.map((document) => silent(serialize(document))))
  expect(written.some(({ dead }) => dead.length > 0)).toBe(true)
})
