import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openResults } from '../../src/suite/results-file.ts'
import { runSuite, type SuiteAttack, type SuiteOptions, type SuiteResult } from '../../src/suite/suite.ts'
import { attackDocument, selfPlay } from '../support/attacks.ts'

const attack = (file: string, word = 'x', text = 'x'): SuiteAttack => ({
  file,
  document: attackDocument(selfPlay(word, [text])),
})
const quick: SuiteOptions = { options: () => ({ wire: { client: 'server' }, limits: { graceMs: 0 } }) }

async function all(attacks: readonly SuiteAttack[], options: SuiteOptions = quick): Promise<SuiteResult[]> {
  const results: SuiteResult[] = []
  for await (const result of runSuite(attacks, options)) results.push(result)
  return results
}

describe('runs', () => {
  test('every attack and every trial once, each with its own verdict', async () => {
    const results = await all([attack('a'), attack('b', 'y')], { ...quick, trials: 2, concurrency: 3 })
    const seen = results.map(({ file, trial, run }) => `${file} ${trial} ${run.verdict.result}`).sort()
    expect(seen).toEqual(['a 1 exploited', 'a 2 exploited', 'b 1 not_exploited', 'b 2 not_exploited'])
  })

  test('no more at a time than allowed', async () => {
    let running = 0
    let most = 0
    const options = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      return { wire: { client: 'server' }, limits: { graceMs: 0 } }
    }
    await all(
      Array.from({ length: 8 }, (_, index) => attack(`${index}`)),
      { options, concurrency: 2 },
    )
    expect(most).toBe(2)
  })

  test('a run that cannot be set up is an error of that run only', async () => {
    const options: SuiteOptions['options'] = ({ file }) => {
      if (file === 'bad') throw new Error('no agent file')
      return { wire: { client: 'server' }, limits: { graceMs: 0 } }
    }
    const results = await all([attack('bad'), attack('good')], { options })
    expect(Object.fromEntries(results.map(({ file, run }) => [file, run.verdict.result]))).toEqual({
      bad: 'error',
      good: 'exploited',
    })
    const bad = results.find(({ file }) => file === 'bad')
    expect(bad?.run.diagnostics.map(({ message }) => message).join()).toContain('no agent file')
  })

  test('nothing at all', async () => {
    expect(await all([])).toEqual([])
  })
})

describe('stopping', () => {
  test('the signal stops what runs and begins nothing more', async () => {
    const stop = new AbortController()
    const hang = () => ({
      ...quick.options,
      target: {
        name: 'hang',
        start: async () => ({ endpoints: {}, turn: () => new Promise<void>(() => {}), stop: async () => {} }),
      },
      wire: { client: 'server' },
    })
    const attacks = Array.from({ length: 6 }, (_, index) => attack(`${index}`, 'y'))
    setTimeout(() => stop.abort(), 50)
    const results = await all(attacks, { options: hang, concurrency: 2, signal: stop.signal })
    expect(results.map(({ run }) => run.ended)).toEqual(['interrupted', 'interrupted'])
    expect(results.map(({ run }) => run.verdict.result)).toEqual(['error', 'error'])
  })

  test('leaving the loop early ends the others', async () => {
    const attacks = Array.from({ length: 6 }, (_, index) => attack(`${index}`))
    for await (const { run } of runSuite(attacks, { ...quick, concurrency: 3 })) {
      expect(run.verdict.result).toBe('exploited')
      break
    }
  })
})

describe('results file', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'joust-suite-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const file = () => join(folder, 'results.jsonl')
  const opened = async () => {
    const results = await openResults(file())
    if (!results.ok) throw new Error(results.error.message)
    return results.value
  }

  const foundThere = async () => {
    const results = await opened()
    await results.close()
    return results.found
  }

  test('what is there is not run again; a changed document is', async () => {
    const first = await opened()
    await all([attack('a'), attack('b')], { ...quick, results: first })
    await first.close()
    const second = await opened()
    expect(second.found).toBe(2)
    const again = await all([attack('a'), attack('b', 'y'), attack('c')], { ...quick, results: second })
    await second.close()
    const resumed = Object.fromEntries(again.map((result) => [result.file, result.resumed === true]))
    expect(resumed).toEqual({ a: true, b: false, c: false })
    expect(again.find((result) => result.file === 'a')?.run.trace.length).toBeGreaterThan(0)
    expect(await foundThere()).toBe(4)
  })

  test('a last line that was cut off is run again', async () => {
    const first = await opened()
    await all([attack('a'), attack('b')], { ...quick, results: first, concurrency: 1 })
    await first.close()
    writeFileSync(file(), readFileSync(file(), 'utf8').slice(0, -30))
    const second = await opened()
    expect(second.found).toBe(1)
    const again = await all([attack('a'), attack('b')], { ...quick, results: second })
    await second.close()
    expect(again.filter((result) => result.resumed === true)).toHaveLength(1)
    expect(await foundThere()).toBe(2)
  })

  test.each([
    ['{"joust_results":7}\n', 'results of version 7; this reads up to 1'],
    ['hello\n', 'this is no file of results'],
    ['{"joust_results":1}\n{"key":1}\n', 'a line that is no result'],
    ['{"joust_results":1}\nbroken\n{"key":"a","run":{"verdict":{}}}\n', 'a line that is no result'],
  ])('%j is refused', async (text, message) => {
    writeFileSync(file(), text)
    const results = await openResults(file())
    expect(results).toMatchObject({
      ok: false,
      error: { code: 'results-unreadable', message: expect.stringContaining(message) },
    })
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })

  test('a folder is no file', async () => {
    expect(await openResults(folder)).toMatchObject({ ok: false, error: { code: 'results-unreadable' } })
  })
})
