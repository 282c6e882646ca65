import { createCelEvaluator, type Document } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { taskDocument, taskVerdict } from '../../src/results/task.ts'
import { attackDocument, echoServer } from '../support/attacks.ts'
import { entry } from '../support/entries.ts'

const withTask = (task: unknown): Document => attackDocument({ ...echoServer('secret'), 'x-joust-task': task as never })
const called = { surface: 'tools/call', target: 'name', pattern: { regex: '^echo$' } }
const calls = (name: string) => [entry({ content: { name, arguments: {} } })]

describe('a task', () => {
  test('is judged as the indicators of the attack are, with their defaults', async () => {
    const document = withTask({ indicators: [called] })
    expect(await taskVerdict(document, calls('echo'))).toMatchObject({
      result: 'exploited',
      indicator_verdicts: [{ result: 'matched', match: { path: 'name' } }],
    })
    expect((await taskVerdict(document, calls('other')))?.result).toBe('not_exploited')
    expect((await taskVerdict(document, []))?.result).toBe('error')
  })

  test('its correlation is its own', async () => {
    const never = { ...called, pattern: { contains: 'never' } }
    const all = withTask({ indicators: [called, never], correlation: { logic: 'all' } })
    expect((await taskVerdict(all, calls('echo')))?.result).toBe('partial')
    const document = withTask({ indicators: [called, never] })
    const strict = { ...document, attack: { ...document.attack, correlation: { logic: 'all' as const } } }
    expect((await taskVerdict(strict, calls('echo')))?.result).toBe('exploited')
  })

  test('expressions are evaluated', async () => {
    const document = withTask({ indicators: [{ target: '', expression: { cel: 'message.name == "echo"' } }] })
    expect((await taskVerdict(document, calls('echo'), { cel: createCelEvaluator() }))?.result).toBe('exploited')
  })

  test('texts that YAML cannot hold plainly are no trouble', () => {
    const hidden = '\u200b\u0007\ud83d\ude00 \u007f'
    expect(taskDocument(withTask({ indicators: [{ ...called, pattern: { contains: hidden } }] })).ok).toBe(true)
  })

  test('most documents have none', async () => {
    const document = attackDocument(echoServer('x'))
    expect(taskDocument(document)).toEqual({ ok: true, value: undefined })
    expect(await taskVerdict(document, calls('echo'))).toBeUndefined()
  })
})

describe('a malformed task', () => {
  test.each([
    ['yes', 'attack.x-joust-task', 'expected a mapping with "indicators", got a string'],
    [{}, 'attack.x-joust-task.indicators', 'at least one indicator'],
    [{ indicators: [] }, 'attack.x-joust-task.indicators', 'at least one indicator'],
    [{ indicators: [called], corelation: {} }, 'attack.x-joust-task.corelation', 'unknown field "corelation".'],
    [{ indicators: [{ target: 'name' }] }, 'attack.x-joust-task.indicators[0]', 'V-012'],
    [
      { indicators: [{ ...called, pattern: { regex: '(' } }] },
      'attack.x-joust-task.indicators[0].pattern.regex',
      'V-013',
    ],
    [{ indicators: [{ ...called, actor: 'nobody' }] }, 'attack.x-joust-task.indicators[0].actor', 'V-048'],
    [{ indicators: [called], correlation: { logic: 'some' } }, 'attack.x-joust-task.correlation.logic', 'V-005'],
  ])('%j', async (task, path, message) => {
    const document = withTask(task)
    expect(taskDocument(document)).toMatchObject({
      ok: false,
      error: [{ code: 'task-malformed', path, message: expect.stringContaining(message) }],
    })
    expect(await taskVerdict(document, calls('echo'))).toMatchObject({ result: 'error', diagnostics: [{ path }] })
  })
})
