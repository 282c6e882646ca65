import type { Attack } from '@joust/oatf'
import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import type { TraceEntry } from '../../../results/src/model/trace-entry.ts'
import { watchCalls } from '../../src/judge/untested.ts'
import { loadedAttack } from '../support/attacks.ts'

const call = { method: 'tools/call', params: { name: 'read', arguments: { path: '/etc/passwd' } } }
const document: Partial<Attack> = {
  execution: { mode: 'mcp_client', state: { actions: [{ method: 'tools/list' }, call] } },
  indicators: [
    { surface: 'tools/call', direction: 'response', target: '', pattern: { condition: { contains: 'root:' } } },
  ],
}
const SENTENCE = 'the server has no tool read, so no calls from default were executed'

const UNFIT = 'the tool read requires mail but got path, so no calls from default were executed'
const NOTHING = UNFIT.replace('path', 'no arguments')

type Answer = Pick<TraceEntry, 'surface' | 'content' | 'request'>

function answers(...given: readonly Answer[]): TraceEntry[] {
  return given.map((answer, index) => ({
    seq: index + 1,
    at: '2026-01-01T00:00:00.000Z',
    elapsed_ms: 0,
    actor: 'default',
    mode: 'mcp_client',
    protocol: 'mcp',
    phase: 'phase-1',
    session: 's',
    direction: 'response',
    flow: 'in',
    ...answer,
  }))
}

const list = (...names: readonly string[]): Answer => ({
  surface: 'tools/list',
  content: { tools: names.map((name) => ({ name })) },
})
const taking = (...required: readonly string[]): Answer => ({
  surface: 'tools/list',
  content: { tools: [{ name: 'read', inputSchema: { type: 'object', required } }] },
})
const refused = (name: string, given: Value = {}): Answer => ({
  surface: 'tools/call',
  content: { code: -32602, message: 'Invalid params' },
  request: { name, arguments: given },
})

function unknownTools(attack: Partial<Attack>, trace: readonly TraceEntry[]): readonly string[] {
  const calls = watchCalls(loadedAttack(attack))
  for (const entry of trace) calls.take(entry)
  return calls.signs()
}

test.each([
  ['a tool that is not listed', answers(list('write'), refused('read')), [SENTENCE]],
  ['a tool that is listed', answers(list('read'), refused('read')), []],
  ['one of two', answers(list('write'), refused('read'), refused('write')), []],
  [
    'a list that goes on',
    answers({ surface: 'tools/list', content: { tools: [], nextCursor: 'x' } }, refused('read')),
    [],
  ],
  ['no list, and no word of an unknown tool', answers(refused('read')), []],
  ['no call', answers(list('write')), []],
  ['a call without what the tool requires', answers(taking('mail'), refused('read', { path: '/' })), [UNFIT]],
  ['a call with what are not arguments', answers(taking('mail'), refused('read', 'mail')), [NOTHING]],
  ['a call with it', answers(taking('path'), refused('read', { path: '/' })), []],
  [
    'nothing that could be tried',
    answers(taking('mail'), refused('read', { path: '/' }), refused('write')),
    ['the server has no tool write, so no calls from default were executed', UNFIT],
  ],
])('%s', (_, trace, reasons) => {
  expect(unknownTools(document, trace)).toEqual(reasons)
})

test('if the name is the bait, an unknown tool is resistance', () => {
  const named = { ...document, 'x-joust-bait': ['attack.execution.state.actions[1].params'] }
  expect(unknownTools(named, answers(list('write'), refused('read')))).toEqual([])
})
