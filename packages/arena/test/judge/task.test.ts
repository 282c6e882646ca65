import { createCelEvaluator, type LoadedAttack } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { judgeTask } from '../../src/judge/judge.ts'
import { echoServer, loadedAttack } from '../support/attacks.ts'
import { entry } from '../support/entries.ts'

const withTask = (task: unknown): LoadedAttack =>
  loadedAttack({ ...echoServer('secret'), 'x-joust-task': task as never })
const called = { surface: 'tools/call', target: 'name', pattern: { regex: '^echo$' } }
const calls = (name: string) => [entry({ content: { name, arguments: {} } })]

describe('a task', () => {
  test('is judged as the indicators of the attack are, with their defaults', async () => {
    const attack = withTask({ indicators: [called] })
    expect(await judgeTask(attack, calls('echo'))).toMatchObject({
      result: 'exploited',
      indicator_verdicts: [{ result: 'matched', match: { path: 'name' } }],
    })
    expect((await judgeTask(attack, calls('other')))?.result).toBe('not_exploited')
    expect((await judgeTask(attack, []))?.result).toBe('error')
  })

  test('its correlation is its own', async () => {
    const never = { ...called, pattern: { contains: 'never' } }
    const all = withTask({ indicators: [called, never], correlation: { logic: 'all' } })
    expect((await judgeTask(all, calls('echo')))?.result).toBe('partial')
    const attack = withTask({ indicators: [called, never] })
    expect((await judgeTask(attack, calls('echo')))?.result).toBe('exploited')
  })

  test('expressions are evaluated', async () => {
    const attack = withTask({ indicators: [{ target: '', expression: { cel: 'message.name == "echo"' } }] })
    expect((await judgeTask(attack, calls('echo'), { cel: createCelEvaluator() }))?.result).toBe('exploited')
  })

  test('texts that YAML cannot hold plainly are no trouble', () => {
    const hidden = '\u200b\u0007\ud83d\ude00 \u007f'
    expect(withTask({ indicators: [{ ...called, pattern: { contains: hidden } }] }).task?.ok).toBe(true)
  })

  test('most documents have none', async () => {
    const attack = loadedAttack(echoServer('x'))
    expect(attack.task).toBeUndefined()
    expect(await judgeTask(attack, calls('echo'))).toBeUndefined()
  })
})

describe('a malformed task', () => {
  test.each([
    ['yes', 'attack.x-joust-task', 'expected a mapping, got'],
    [{}, 'attack.x-joust-task.indicators', 'the field "indicators" is required'],
    [{ indicators: [] }, 'attack.x-joust-task.indicators', 'at least one indicator'],
    [{ indicators: [called], corelation: {} }, 'attack.x-joust-task.corelation', 'unknown field "corelation".'],
    [{ indicators: [{ target: 'name' }] }, 'attack.x-joust-task.indicators[0]', 'V-012'],
    [
      { indicators: [{ ...called, pattern: { regex: '(' } }] },
      'attack.x-joust-task.indicators[0].pattern.regex',
      'V-013',
    ],
    [{ indicators: [{ ...called, actor: 'nobody' }] }, 'attack.x-joust-task.indicators[0].actor', 'V-048'],
    [
      { indicators: [called], correlation: { logic: 'some' } },
      'attack.x-joust-task.correlation.logic',
      'is not one of any, all',
    ],
  ])('%j', async (task, path, message) => {
    const attack = withTask(task)
    expect(attack.task).toMatchObject({
      ok: false,
      error: [{ code: 'task-malformed', path, message: expect.stringContaining(message) }],
    })
    expect(await judgeTask(attack, calls('echo'))).toMatchObject({ result: 'error', diagnostics: [{ path }] })
  })
})
