import { createCelEvaluator, type LoadedAttack } from '@joust/oatf'
import { err } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { TraceEntry } from '../../../results/src/model/trace-entry.ts'
import { endLine, traceLine, versionLine } from '../../../results/src/trace/lines.ts'
import { entry } from '../../../results/test/support/entries.ts'
import { readTraceLines } from '../../../results/test/support/trace-lines.ts'
import { createAssessor } from '../../src/judge/assess.ts'
import { createJudge, type JudgeOptions, judge } from '../../src/judge/judge.ts'
import { asLoaded, echoServer, loadedAttack } from '../support/attacks.ts'
import { documentOf } from '../support/documents.ts'

const leak = { protocol: 'mcp', target: 'text', pattern: { contains: 'secret' } }
const never = { protocol: 'mcp', target: 'text', pattern: { contains: 'nothing has this' } }
const hit = entry({ seq: 3, phase: 'exploit', content: { text: 'secret' } })
const now = () => Date.UTC(2026, 0, 1)
const cel = createCelEvaluator()

test('the verdict is that of §9.3, with the proof', async () => {
  expect(await judge(documentOf([leak, never]), [entry(), hit], { now })).toEqual({
    attack_id: 'T-1',
    result: 'exploited',
    indicator_verdicts: [
      {
        indicator_id: 'T-1-01',
        result: 'matched',
        timestamp: '2026-01-01T00:00:00.000Z',
        evidence: 'text: secret',
        match: { path: 'text', value: 'secret', span: { start: 0, end: 6 } },
        source: 'joust',
        entry: { seq: 3, actor: 'default', phase: 'exploit', surface: 'tools/call', flow: 'in' },
        considered: { protocol: 2, surface: 2, actor: 2, direction: 2, evaluated: 2 },
      },
      {
        indicator_id: 'T-1-02',
        result: 'not_matched',
        timestamp: '2026-01-01T00:00:00.000Z',
        source: 'joust',
        considered: { protocol: 2, surface: 2, actor: 2, direction: 2, evaluated: 2 },
      },
    ],
    evaluation_summary: { matched: 1, not_matched: 1, error: 0, skipped: 0 },
    timestamp: '2026-01-01T00:00:00.000Z',
    source: 'joust',
  })
})

test('the name of the tool can be another', async () => {
  const verdict = await judge(documentOf([leak]), [hit], { source: 'me' })
  expect([verdict.source, verdict.indicator_verdicts[0]?.source]).toEqual(['me', 'me'])
})

test('correlation: all with one of two is partial', async () => {
  expect((await judge(documentOf([leak, never], 'all'), [hit])).result).toBe('partial')
  expect((await judge(documentOf([leak, leak], 'all'), [hit])).result).toBe('exploited')
})

test('defaults of the document count', async () => {
  const document = asLoaded({
    oatf: '0.1',
    attack: {
      execution: { mode: 'a2a_server', state: {} },
      indicators: [{ target: 'text', pattern: { contains: 'secret' } }],
    },
  })
  const verdict = await judge(document, [{ ...hit, protocol: 'a2a' }])
  expect(verdict).toMatchObject({ result: 'exploited', indicator_verdicts: [{ indicator_id: 'indicator-01' }] })
  expect((await judge(document, [hit])).result).toBe('error')
})

test('an indicator that has matched is not evaluated again', async () => {
  const asked: string[] = []
  const counting = {
    evaluate: (expression: string) => {
      asked.push(expression)
      return { ok: true, value: true } as const
    },
  }
  const verdict = await judge(
    documentOf([{ protocol: 'mcp', target: '', expression: { cel: 'true' } }]),
    [hit, hit, hit],
    {
      cel: counting,
    },
  )
  expect([verdict.result, asked]).toEqual(['exploited', ['true']])
})

describe('never a pass by accident', () => {
  test.each([
    ['no indicators', documentOf([])],
    ['no indicator in the list', documentOf([null as never])],
    ['an indicator without protocol', documentOf([{ target: 'text', pattern: { contains: 'x' } }])],
    ['an indicator that asks nothing', documentOf([{ protocol: 'mcp', target: 'text' }])],
  ])('%s: error', async (_, attack) => {
    const verdict = await judge(attack, [entry()])
    expect(verdict.result).toBe('error')
    const { matched, not_matched, error, skipped } = verdict.evaluation_summary
    expect(verdict.indicator_verdicts).toHaveLength(matched + not_matched + error + skipped)
  })

  test('two indicators of one id are judged both', async () => {
    const attack = documentOf([
      { ...never, id: 'T-1-01' },
      { ...leak, id: 'T-1-01' },
    ])
    const { result, evaluation_summary, indicator_verdicts } = await judge(attack, [hit])
    expect([result, evaluation_summary.matched, evaluation_summary.not_matched]).toEqual(['exploited', 1, 1])
    expect(indicator_verdicts.map((one) => one.result)).toEqual(['not_matched', 'matched'])
  })

  test('all skipped: error; one skipped beside one that was evaluated: its verdict', async () => {
    const expression = { protocol: 'mcp', target: '', expression: { cel: 'true' } }
    const skipped = await judge(documentOf([expression]), [hit])
    expect(skipped).toMatchObject({
      result: 'error',
      indicator_verdicts: [{ result: 'skipped', evidence: 'no CEL evaluator is configured' }],
    })
    expect((await judge(documentOf([expression, never]), [hit])).result).toBe('not_exploited')
    expect((await judge(documentOf([expression]), [hit], { cel })).result).toBe('exploited')
  })

  test('an evaluation error: error with the reason and the entry, unless another message matches', async () => {
    const document = documentOf([{ protocol: 'mcp', target: '', expression: { cel: 'message.text == "secret"' } }])
    const verdict = await judge(
      document,
      [8, 9].map((seq) => entry({ seq, content: {} })),
      { cel },
    )
    expect(verdict).toMatchObject({ result: 'error', indicator_verdicts: [{ result: 'error', entry: { seq: 8 } }] })
    expect(verdict.indicator_verdicts[0]?.evidence).toMatch(/^cel_error: .*, in entry 8$/)
    expect((await judge(document, [entry({ content: {} }), hit], { cel })).result).toBe('exploited')
  })

  test('an error of one indicator beside a match of another: error', async () => {
    const bad = { protocol: 'mcp', target: '', expression: { cel: 'message.nothing == 1' } }
    expect((await judge(documentOf([leak, bad]), [hit], { cel })).result).toBe('error')
  })
})

describe('an unreliable trace', () => {
  async function* breaking() {
    yield entry()
    throw new Error('the disk is gone')
  }

  test('that breaks off: error', async () => {
    const verdict = await judge(documentOf([never]), breaking())
    expect(verdict).toMatchObject({
      result: 'error',
      indicator_verdicts: [
        { result: 'error', evidence: 'trace-failed: the trace could not be read to its end: the disk is gone' },
      ],
      diagnostics: [{ code: 'trace-failed' }],
    })
  })

  test('with a broken line: error, also for an indicator that would be skipped', async () => {
    const items = readTraceLines([
      versionLine(),
      traceLine(entry()),
      '{"seq":',
      traceLine(entry()),
      endLine({ ended: 'done', entries: 1 }),
    ])
    const verdict = await judge(documentOf([never, { ...never, protocol: 'a2a' }]), items)
    expect(verdict.evaluation_summary).toMatchObject({ error: 2 })
    expect(verdict.indicator_verdicts[0]?.evidence).toMatch(/^trace-malformed: line 3: /)
    expect(verdict.diagnostics).toMatchObject([{ code: 'trace-malformed', line: 3 }])
  })

  test.each([
    ['of ours with a hole', { ended: 'done' }, ['the trace is incomplete: expected entry 2, got 3']],
    ['of another tool, with any numbers', { ended: 'done', foreign: true }, []],
  ] as const)('%s', async (_, ending, reasons) => {
    const assessor = createAssessor(documentOf([never]))
    for (const seq of [1, 3]) await assessor.add(entry({ seq }))
    expect((await assessor.finish(ending)).reasons.filter((reason) => reason.includes('incomplete'))).toEqual(reasons)
  })

  test('a match after the broken line counts', async () => {
    const items = readTraceLines([versionLine(), 'x', traceLine(hit)])
    expect((await judge(documentOf([leak]), items)).result).toBe('exploited')
  })

  test.each([
    ['null', null],
    ['a number', 7],
    ['a text', 'abc'],
    ['items that are not entries', [null]],
  ])('%s', async (_, trace) => {
    expect((await judge(documentOf([never]), trace as never)).result).toBe('error')
  })

  test('many broken lines leave few diagnostics', async () => {
    const items = Array.from({ length: 5000 }, (_, index) =>
      err({ severity: 'error', code: 'trace-malformed', message: `line ${index}` } as const),
    )
    const { diagnostics } = await judge(documentOf([never]), items)
    expect(diagnostics).toHaveLength(21)
    expect(diagnostics?.at(-1)).toMatchObject({ code: 'more-diagnostics', message: '4980 more diagnostics omitted' })
  })
})

describe('the time that evaluation may take', () => {
  /** Each look at the clock takes a millisecond. */
  const slow = () => {
    let time = 0
    return () => ++time
  }

  test('after it, the remaining indicators are errors', async () => {
    const entries = Array.from({ length: 100 }, (_, index) => entry({ seq: index + 1 }))
    const verdict = await judge(documentOf([never, leak]), [...entries, hit], { now: slow(), evaluationMs: 50 })
    expect(verdict).toMatchObject({
      result: 'error',
      evaluation_summary: { error: 2 },
      diagnostics: [{ code: 'evaluation-expired' }],
    })
    expect(verdict.indicator_verdicts[0]?.evidence).toContain('50 ms')
    expect(verdict.indicator_verdicts[0]?.considered.evaluated).toBeLessThan(50)
  })

  test('earlier matches are kept', async () => {
    const verdict = await judge(documentOf([leak]), [hit, ...Array.from({ length: 100 }, () => entry())], {
      now: slow(),
      evaluationMs: 10,
    })
    expect(verdict.result).toBe('exploited')
  })

  test('waiting for messages does not count', async () => {
    let time = 0
    const judging = createJudge(documentOf([never]), { now: () => time, evaluationMs: 10 })
    for (let turn = 0; turn < 5; turn++) {
      judging.add(entry())
      time += 1000
    }
    expect((await judging.finish()).result).toBe('not_exploited')
  })
})

test('an incremental judge gives the verdict over the entries so far', async () => {
  const judging = createJudge(documentOf([leak]))
  expect(judging.add(entry())).toBeUndefined()
  expect((await judging.finish()).result).toBe('not_exploited')
  judging.add(hit)
  expect((await judging.finish()).result).toBe('exploited')
})

test('a failed run can be reported to a judge', async () => {
  const judging = createJudge(documentOf([leak, never]))
  judging.add(hit)
  judging.fail({ severity: 'error', code: 'flooded', message: 'too much' })
  const verdict = await judging.finish()
  expect(verdict.indicator_verdicts.map(({ result }) => result)).toEqual(['matched', 'error'])
})

describe('the task of an attack', () => {
  const withTask = (task: unknown): LoadedAttack =>
    loadedAttack({ ...echoServer('secret'), 'x-joust-task': task as never })
  const called = { surface: 'tools/call', target: 'name', pattern: { regex: '^echo$' } }
  const calls = (name: string) => [entry({ content: { name, arguments: {} } })]

  async function judgeTask(attack: LoadedAttack, trace: readonly TraceEntry[], options: JudgeOptions = {}) {
    const assessor = createAssessor(attack, options)
    for (const one of trace) await assessor.add(one)
    return (await assessor.finish()).task
  }

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

    test('texts that need quotes in YAML are supported', () => {
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
})
