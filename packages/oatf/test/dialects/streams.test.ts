import { expect, test } from 'vitest'
import { translateDialects } from '../../src/dialects/translate.ts'
import { read, valueAt } from './translation-test.ts'

const streaming = '{ streaming: true, task_message: { parts: [] } }'

function translated(indicator: string, state: string): unknown {
  const document = read(`{ attack: { execution: { mode: a2a_client, state: ${state} }, indicators: [${indicator}] } }`)
  return valueAt(translateDialects(document).value, ['attack', 'indicators', 0])
}

test.each([
  ['the answer', '{ target: response.content, pattern: { contains: x } }'],
  ['the answer, on a surface of an earlier draft', '{ surface: task_response, target: response.content, pattern: {} }'],
  ['an artifact, by an old surface', '{ surface: task_artifact, pattern: { contains: x } }'],
  ['the artifacts of a task', '{ target: a2a.task.artifacts, pattern: { contains: x } }'],
])('%s of a stream is in its artifacts as they come', (_, indicator) => {
  expect(translated(indicator, streaming)).toMatchObject({ surface: 'task/artifact', target: 'artifact.parts[*].text' })
})

test.each([
  ['an action', '{ actions: [{ method: message/stream }] }'],
  ['a verb', '{ actions: [stream_message, get_agent_card] }'],
  ['a verb with params', '{ actions: [{ stream_message: { message: {} } }] }'],
])('%s asks for a stream', (_, state) => {
  expect(translated('{ target: response.content, pattern: { contains: x } }', state)).toMatchObject({
    surface: 'task/artifact',
  })
})

test.each([
  ['no stream', '{ task_message: { parts: [] } }'],
  ['a task as well', '{ actions: [{ method: message/stream }, { method: message/send }] }'],
  ['nothing', '{ actions: [] }'],
])('who asks for %s gets a task', (_, state) => {
  expect(translated('{ target: response.content, pattern: { contains: x } }', state)).toEqual({
    target: 'artifacts[*].parts[*].text',
    pattern: { contains: 'x' },
  })
})

test('a surface that the author names stays', () => {
  expect(translated('{ surface: message/stream, target: response.content, pattern: {} }', streaming)).toEqual({
    surface: 'message/stream',
    target: 'artifact.parts[*].text',
    pattern: {},
  })
  expect(translated('{ surface: message/send, target: response.content, pattern: {} }', streaming)).toMatchObject({
    surface: 'message/send',
  })
})

test('the actor of an indicator decides', () => {
  const document = (actor: string) =>
    read(`
attack:
  execution:
    actors:
      - { name: a, mode: a2a_client, phases: [{ state: ${streaming} }] }
      - { name: b, mode: a2a_client, phases: [{ state: { actions: [{ method: message/send }] } }] }
  indicators: [{ protocol: a2a, actor: ${actor}, target: response.content, pattern: { contains: x } }]`)
  const target = ['attack', 'indicators', 0, 'target']
  expect(valueAt(translateDialects(document('a')).value, target)).toBe('artifact.parts[*].text')
  expect(valueAt(translateDialects(document('b')).value, target)).toBe('artifacts[*].parts[*].text')
})
