import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { abortable, deferred, linkSignals, onAbort, unlimited, withTimeout } from '../src/signals.ts'

describe('withTimeout', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')

  it('fires after the time, although garbage is collected in the meantime', async () => {
    const { signal, close } = withTimeout(new AbortController().signal, 100)
    const work = async () => {
      for (let count = 0; count < 100; count++) {
        await sleep(10, undefined, { signal })
        collect()
      }
    }
    await expect(work()).rejects.toThrow()
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
    close()
  })

  it('fires with its source, and never once it is closed', async () => {
    const source = new AbortController()
    const { signal } = withTimeout(source.signal, 60_000)
    source.abort('over')
    expect(signal.reason).toBe('over')
    const closed = withTimeout(new AbortController().signal, 1)
    closed.close()
    await sleep(20)
    expect(closed.signal.aborted).toBe(false)
  })
})

describe('linkSignals', () => {
  it('fires with the first source, once', () => {
    const [a, b] = [new AbortController(), new AbortController()]
    const { signal } = linkSignals([a.signal, b.signal])
    b.abort('b')
    a.abort('a')
    expect(signal.reason).toBe('b')
  })

  it('fires at once with a source that has already fired', () => {
    expect(linkSignals([new AbortController().signal, AbortSignal.abort('gone')]).signal.reason).toBe('gone')
  })

  it('many linked signals cause no warning and leave no listener behind', async () => {
    const source = new AbortController()
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => warnings.push(name)
    process.on('warning', onWarning)
    const links = Array.from({ length: 50 }, () => linkSignals([source.signal]))
    const pending = Array.from({ length: 50 }, () => abortable(source.signal, () => new Promise(() => {})))
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(100)
    links[0]?.close()
    source.abort('now')
    expect(links.map(({ signal }) => signal.aborted)).toEqual([false, ...Array.from({ length: 49 }, () => true)])
    expect((await Promise.allSettled(pending)).every(({ status }) => status === 'rejected')).toBe(true)
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(0)
    await new Promise(setImmediate)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  it('a closed link no longer follows its sources', () => {
    const source = new AbortController()
    const link = linkSignals([source.signal])
    link.close()
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(0)
    source.abort()
    expect(link.signal.aborted).toBe(false)
  })
})

describe('abortable', () => {
  it('resolves to the result of the work', async () => {
    const { signal } = new AbortController()
    expect(await abortable(signal, () => 1)).toBe(1)
    expect(await abortable(signal, async () => 2)).toBe(2)
    await expect(
      abortable(signal, () => {
        throw new Error('sync')
      }),
    ).rejects.toThrow('sync')
  })

  it('does not start work when the signal has already fired', async () => {
    let started = false
    const work = () => {
      started = true
    }
    await expect(abortable(AbortSignal.abort(new Error('no')), work)).rejects.toThrow('no')
    expect(started).toBe(false)
  })

  it('a late failure of abandoned work is ignored', async () => {
    const cancel = new AbortController()
    let fail = () => {}
    const pending = abortable(
      cancel.signal,
      () =>
        new Promise((_, reject) => {
          fail = () => reject(new Error('too late'))
        }),
    )
    cancel.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
    fail()
    // An unhandled rejection would fail the test run.
    await new Promise(setImmediate)
  })
})

describe('onAbort', () => {
  it('calls every listener once, except removed ones', () => {
    const source = new AbortController()
    const heard: string[] = []
    onAbort(source.signal, () => heard.push('a'))
    const stop = onAbort(source.signal, () => heard.push('b'))
    stop()
    stop()
    source.abort()
    expect(heard).toEqual(['a'])
  })
})

describe('unlimited', () => {
  it('allows many listeners without a warning', async () => {
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => warnings.push(name)
    process.on('warning', onWarning)
    const { signal } = new AbortController()
    for (let count = 0; count < 20; count++) unlimited(signal).addEventListener('abort', () => count)
    await new Promise(setImmediate)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })
})

describe('deferred', () => {
  it('resolves once, with the first value', async () => {
    const { promise, resolve } = deferred<number>()
    expect(await Promise.race([promise, Promise.resolve('waits')])).toBe('waits')
    resolve(1)
    resolve(2)
    expect(await promise).toBe(1)
  })
})
