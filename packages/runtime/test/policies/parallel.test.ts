import { deferred } from '@joust/io'
import { describe, expect, it } from 'vitest'
import { leaf, makeAgent } from '../support/agents.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

function parallel(agents: Parameters<typeof makeAgent>[0]['agents'], config: object = {}) {
  const list = Object.keys(agents ?? {}).map((agent) => ({ agent }))
  return makeAgent({ policy: { id: 'agf.parallel', config: { agents: list, ...config } }, agents: agents ?? {} })
}

describe('agf.parallel', () => {
  it('runs its agents concurrently: four of 150 ms take well under 600 ms', async () => {
    const slow = (name: string) =>
      leaf(async ({ signal }) => {
        await wait(150, signal)
        return { [name]: true }
      })
    const agent = parallel({ a: slow('a'), b: slow('b'), c: slow('c'), d: slow('d') })
    const { result } = await run(agent, null)
    expect(result?.output).toEqual({ a: true, b: true, c: true, d: true })
    expect(result?.usage.durationMs).toBeGreaterThanOrEqual(140)
    expect(result?.usage.durationMs).toBeLessThan(450)
  })

  it('OPEN-28: strategies follow the order of declaration, not of completion', async () => {
    const gate = deferred()
    const late = leaf(async () => {
      await gate.promise
      return 'late'
    })
    const early = leaf(() => {
      gate.resolve()
      return 'early'
    })
    expect(await outputOf(parallel({ late, early }, { output_from: 'last' }), null)).toBe('early')
    expect(await outputOf(parallel({ late, early }, { output_from: 'first' }), null)).toBe('late')
  })

  it('OPEN-24: a failure cancels the siblings that still run, and is reported with its path', async () => {
    const cancelled: unknown[] = []
    const patient = leaf(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            cancelled.push(signal.reason)
            reject(signal.reason)
          }),
        ),
    )
    const nested = parallel({ inner: patient })
    const crash = leaf(() => Promise.reject(new TypeError('crash')))
    const { error, events } = await run(parallel({ patient, crash, nested }), null)
    expect(error).toMatchObject({
      code: 'agent_failed',
      details: { alias: 'crash', step: 1 },
      cause: { agent: ['crash'], cause: { message: 'crash' } },
    })
    expect(cancelled).toHaveLength(2)
    const failed = events.flatMap((event) =>
      event.type === 'agent-failed' ? [[event.agent.join('.'), event.error.code]] : [],
    )
    expect(failed).toEqual(
      expect.arrayContaining([
        ['crash', 'agent_failed'],
        ['patient', 'cancelled'],
        ['nested.inner', 'cancelled'],
        ['nested', 'cancelled'],
        ['', 'agent_failed'],
      ]),
    )
    expect(events.at(-1)?.type).toBe('run-failed')
  })

  it('a child that ignores its signal does not block the run', async () => {
    const deaf = leaf(() => new Promise(() => {}))
    const crash = leaf(() => Promise.reject(new Error('crash')))
    expect((await errorOf(parallel({ deaf, crash }), null)).code).toBe('agent_failed')
  })
})

describe('merge', () => {
  const giving = (output: object) => leaf(() => output as never)

  it('OPEN-26: different values under one key are a conflict, equal ones are not', async () => {
    const same = parallel({ a: giving({ x: [1], y: 1 }), b: giving({ x: [1], z: 2 }) })
    expect(await outputOf(same, null)).toEqual({ x: [1], y: 1, z: 2 })
    const different = parallel({ a: giving({ x: 1 }), b: giving({ x: 2 }) })
    const error = await errorOf(different, null)
    expect(error).toMatchObject({ code: 'merge_conflict', message: 'a and b return different values for "x"' })
    expect(await outputOf(different, null, { mergeCollision: 'last' })).toEqual({ x: 2 })
  })

  it('OPEN-27: only objects merge', async () => {
    const error = await errorOf(parallel({ a: giving({ x: 1 }), b: leaf(() => 'text') }), null)
    expect(error).toMatchObject({ code: 'type_mismatch' })
  })

  it('names of prototype properties are ordinary keys', async () => {
    const proto = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}')
    const output = await outputOf(parallel({ a: giving(proto), b: giving({ x: 1 }) }), null)
    expect(Object.keys(output as object)).toEqual(['__proto__', 'constructor', 'x'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
