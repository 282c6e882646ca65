import type { Phase } from '@joust/oatf'
import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { createCapturedValues, createStage } from '../../src/actors/stage.ts'
import { createRecorder } from '../../src/trace/recorder.ts'
import { createFakeClock } from '../support/fake-clock.ts'

function stageWith(captured: Readonly<Record<string, string>>, phase: Phase = {}, mode = 'mcp_server') {
  const values = createCapturedValues(['default'])
  for (const [name, value] of Object.entries(captured)) values.capture('default', name, value)
  const reports: string[] = []
  const counted: Value[] = []
  const limits = { messages: 10, characters: 1e6 }
  const recorder = createRecorder(
    createFakeClock(),
    limits,
    () => {},
    () => {},
  )
  const stage = createStage({
    actor: 'default',
    mode,
    verbatim: false,
    strict: false,
    readsHeaders: false,
    recorder,
    values,
    phases: [phase],
    scene: () => ({ index: 0, phase: 'phase-1', state: {} }),
    entering: () => undefined,
    over: () => false,
    count: (_scene, _surface, content) => void counted.push(content),
    report: (code) => void reports.push(code),
  })
  return { stage, reports, counted, recorder, captured: values.visibleTo('default') }
}

const request = { name: 'read', arguments: { path: '/tmp/ada', user: 'ada' } }

test('wire 2: templates in "when" of responses resolve before they are compared', () => {
  const { stage, reports } = stageWith({ user: 'ada' })
  const entries = [
    { when: { 'arguments.path': '/tmp/{{other}}' }, content: 'wrong' },
    { when: { 'arguments.path': { ends_with: '{{user}}' }, 'arguments.user': '{{user}}' }, content: '{{user}}' },
    { content: 'default' },
  ]
  // The content keeps its template until it is sent.
  expect(stage.choose(entries, request, 'responses')?.content).toBe('{{user}}')
  expect(reports).toEqual(['template-empty'])
  expect(stage.choose([{ when: { 'arguments.path': '/tmp/{{request.arguments.user}}' } }], request, 'p')).toBeDefined()
  expect(stage.choose([{ when: { name: '{{user}}' } }], request, 'p')).toBeUndefined()
})

test('wire 2: templates in "when" of elicitations resolve before they are compared', () => {
  const { stage } = stageWith({ tool: 'read' })
  expect(stage.holds({ name: { any_of: ['{{tool}}'] } }, request)).toBe(true)
  expect(stage.holds({ name: '{{missing}}' }, request)).toBe(false)
  expect(stage.holds({ name: '\\{{tool}}' }, { name: '{{tool}}' })).toBe(true)
})

describe('wire 5: the params that a response answers', () => {
  const answer = { direction: 'response', surface: 'tools/call', content: { isError: true }, request } as const
  const matching = (match: NonNullable<Phase['trigger']>['match'] = {}) =>
    stageWith({}, { trigger: { event: 'tools/call', match } })
  const extracting = (selector: string, type: 'json_path' | 'regex' = 'json_path') =>
    stageWith({}, { extractors: [{ name: 'found', source: 'response', type, selector }] })

  test('are recorded beside its content, not in it', async () => {
    const { stage, recorder } = matching({ '_request.name': 'read' })
    await stage.receive(answer)
    expect(recorder.entries).toMatchObject([{ content: { isError: true }, request }])
    expect(recorder.entries[0]?.content).toEqual({ isError: true })
  })

  test('are visible to a trigger that names them', async () => {
    const { stage, counted } = matching({ isError: true, '_request.name': 'read' })
    await stage.receive(answer)
    expect(counted).toEqual([{ isError: true, _request: request }])
  })

  test.each(['', 'isError', 'x_request'])('are not seen by a trigger on "%s"', async (path) => {
    const { stage, counted } = matching({ [path]: { exists: true } })
    await stage.receive(answer)
    expect(counted).toEqual([{ isError: true }])
  })

  test.each(['$._request.arguments.user', '$["_request"]..user'])('are seen by the extractor %s', async (selector) => {
    const { stage, captured } = extracting(selector)
    await stage.receive(answer)
    expect(captured.get('found')).toBe('ada')
  })

  test.each([
    ['$..user', 'json_path'],
    ['$..x_request', 'json_path'],
    ['_request.*"user":"(.*?)"', 'regex'],
  ] as const)('are not seen by the extractor %s', async (selector, type) => {
    const { stage, captured } = extracting(selector, type)
    await stage.receive({ ...answer, request: { ...request, x_request: 1 } })
    expect(captured.size).toBe(0)
  })
})

test('green 4: a trigger sees the texts of an A2A answer like an indicator', async () => {
  const { stage, counted } = stageWith(
    {},
    { trigger: { event: 'message/send', match: { _texts: { contains: 'x' } } } },
    'a2a_client',
  )
  const content = { kind: 'message', parts: [{ kind: 'text', text: 'hello' }] }
  await stage.receive({ direction: 'response', surface: 'message/send', content })
  expect(counted).toEqual([{ ...content, _texts: ['hello'] }])
})

describe('captured values', () => {
  test('an actor sees its own values by name, and those of all actors as actor.name', () => {
    const values = createCapturedValues(['a', 'b'])
    values.capture('a', 'code', '1')
    expect(values.visibleTo('a').get('code')).toBe('1')
    expect(values.visibleTo('b').get('code')).toBeUndefined()
    expect(values.visibleTo('b').get('a.code')).toBe('1')
    expect(values.visibleTo('a').get('a.code')).toBe('1')
  })

  test('the last value wins, also in an existing view', () => {
    const values = createCapturedValues(['a'])
    const seen = values.visibleTo('a')
    values.capture('a', 'code', '1')
    values.capture('a', 'code', '')
    expect(seen.get('code')).toBe('')
  })

  test('an unknown actor has no values', () => {
    const values = createCapturedValues(['a'])
    values.capture('stranger', 'x', '1')
    expect(values.visibleTo('stranger').size).toBe(0)
  })
})
