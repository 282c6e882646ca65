import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Target } from '@joust/arena'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadedAttack, selfPlay } from '../../arena/test/support/attacks.ts'
import { trial, verdict } from '../../results/test/support/results.ts'
import { openSuiteFolder } from '../src/folder.ts'
import type { SuiteAttack, SuiteOptions, SuiteTrial } from '../src/options.ts'
import { finishSuite, runSuite } from '../src/suite.ts'

const attack = (file: string, word = 'x', text = 'x'): SuiteAttack => ({
  file,
  attack: loadedAttack(selfPlay(word, [text])),
})
const quick: SuiteOptions = { run: () => ({ wire: { client: 'server' }, limits: { graceMs: 0 } }) }

async function all(attacks: readonly SuiteAttack[], options: SuiteOptions = quick): Promise<SuiteTrial[]> {
  const results: SuiteTrial[] = []
  for await (const result of runSuite(attacks, options)) results.push(result)
  return results
}

describe('runs', () => {
  test('every attack and every trial once', async () => {
    const results = await all([attack('a'), attack('b', 'y')], { ...quick, trials: 2, concurrency: 3 })
    const seen = results.map(({ file, trial }) => `${file} ${trial.trial} ${trial.outcome}`).sort()
    expect(seen).toEqual(['a 1 exploited', 'a 2 exploited', 'b 1 resisted', 'b 2 resisted'])
  })

  test.each<[string, readonly SuiteAttack[], SuiteOptions]>([
    ['attacks', [attack('a'), attack('b'), attack('a', 'y')], {}],
    ['copies of one attack', [attack('a'), attack('a')], {}],
    ['an attack and a document that cannot be run', [attack('a')], { broken: [{ file: 'a', faults: [] }] }],
  ])('rejects %s with the same name', async (_, attacks, options) => {
    let begun = 0
    const run: SuiteOptions['run'] = () => {
      begun += 1
      return { wire: { client: 'server' }, limits: { graceMs: 0 } }
    }
    const judge: SuiteOptions['judge'] = () => {
      begun += 1
      throw new Error('no judge')
    }
    const refused = all(attacks, { ...options, run, judge })
    await expect(refused).rejects.toMatchObject({ code: 'names_repeated', message: expect.stringContaining('name a;') })
    expect(begun).toBe(0)
  })

  test.each<[object, string]>([
    [{ concurrency: Number.NaN }, 'concurrency must be a number of at least 0, not a number (NaN)'],
    [{ retries: -1 }, 'retries must be a number of at least 0, not an integer (-1)'],
    [{ budget: { tokens: Number.NaN } }, 'tokens must be a number of at least 0, not a number (NaN)'],
    [{ budget: { milliseconds: '5' } }, 'milliseconds must be a number of at least 0, not "5"'],
    [{ budget: { token: 5 } }, 'unknown budget limit "token". Did you mean "tokens"?'],
  ])('rejects %j', async (more, message) => {
    await expect(all([attack('a')], { ...quick, ...more })).rejects.toMatchObject({ code: 'options_invalid', message })
  })

  test('rejects an attack that is not loaded', async () => {
    const written = [{ file: 'a', attack: attack('a').attack.document as never }]
    await expect(all(written, quick)).rejects.toThrow('runSuite expects an attack from load(), got a document')
  })

  test.each<[unknown, string]>([
    ['2', 'trials must be a positive integer, not "2"'],
    [Number.NaN, 'trials must be a positive integer, not a number (NaN)'],
    [0, 'trials must be a positive integer, not an integer (0)'],
    [1.5, 'trials must be a positive integer, not a number (1.5)'],
    [null, 'trials must be a positive integer, not null'],
    [{ limit: '0.1', most: 5 }, 'trials.limit must be a number between 0 and 1, not "0.1"'],
    [{ limit: 0.1, most: Number.NaN }, 'trials.most must be a positive integer, not a number (NaN)'],
  ])('rejects trials %j', async (trials, message) => {
    await expect(all([attack('a')], { ...quick, trials: trials as number })).rejects.toMatchObject({
      code: 'trials_invalid',
      message,
    })
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
      { run: options, concurrency: 2 },
    )
    expect(most).toBe(2)
  })

  test('a run that cannot be set up leaves that run inconclusive, and no other', async () => {
    const options: SuiteOptions['run'] = ({ file }) => {
      if (file === 'bad') throw new Error('no agent file')
      return { wire: { client: 'server' }, limits: { graceMs: 0 } }
    }
    const results = await all([attack('bad'), attack('good')], { run: options })
    expect(Object.fromEntries(results.map(({ file, trial }) => [file, trial.outcome]))).toEqual({
      bad: 'inconclusive',
      good: 'exploited',
    })
    const bad = results.find(({ file }) => file === 'bad')
    expect(bad?.trial.reasons.join()).toContain('no agent file')
  })

  test.each([
    ['a name', { name: 'mine' }, { kind: 'function', name: 'mine' }],
    ['a kind', { name: 'mine', kind: 'http' as const }, { kind: 'http', name: 'mine' }],
  ])('results describe a custom target with %s', async (_, about, described) => {
    const target: Target = {
      ...about,
      lacks: () => ['no tools'],
      start: () => Promise.reject(new Error('not started')),
    }
    const results = await finishSuite(runSuite([attack('a')], { run: () => ({ target }) }))
    expect(results.targets).toMatchObject([described])
  })

  test('an empty suite', async () => {
    expect(await all([])).toEqual([])
  })
})

describe('stopping', () => {
  test('before the first run does not open a judge', async () => {
    const judge = () => Promise.reject(new Error('a judge was opened'))
    expect(await all([attack('a')], { ...quick, judge, signal: AbortSignal.abort() })).toEqual([])
  })

  test('the signal stops active runs and starts no more', async () => {
    const stop = new AbortController()
    const hang = () => ({
      target: {
        name: 'hang',
        start: async () => ({ endpoints: {}, turn: () => new Promise<void>(() => {}), stop: async () => {} }),
      },
      wire: { client: 'server' },
    })
    const attacks = Array.from({ length: 6 }, (_, index) => attack(`${index}`, 'y'))
    setTimeout(() => stop.abort(), 50)
    const results = await all(attacks, { run: hang, concurrency: 2, signal: stop.signal })
    expect(results.map(({ trial }) => trial.ended)).toEqual(['interrupted', 'interrupted'])
    expect(results.map(({ trial }) => trial.outcome)).toEqual(['inconclusive', 'inconclusive'])
  })

  test('leaving the loop early stops active runs', async () => {
    const attacks = Array.from({ length: 6 }, (_, index) => attack(`${index}`))
    for await (const { trial } of runSuite(attacks, { ...quick, concurrency: 3 })) {
      expect(trial.outcome).toBe('exploited')
      break
    }
  })
})

describe('a folder', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'joust-suite-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const file = () => join(folder, 'journal.jsonl')
  const identity = { target: 'model sim/credulous', prompt: 'p1' }
  const opened = async (resume: boolean) => {
    const opening = await openSuiteFolder(folder, { resume, identity })
    if (!opening.ok) throw new Error(opening.error.message)
    return opening.value
  }
  const inFolder = async (attacks: readonly SuiteAttack[], resume: boolean, concurrency = 4) => {
    const at = await opened(resume)
    const trials = await all(attacks, { ...quick, folder: at, concurrency })
    return { found: at.finished.found, trials }
  }

  test('finished trials are not run again unless the document has changed', async () => {
    await inFolder([attack('a'), attack('b')], false)
    const { found, trials } = await inFolder([attack('a'), attack('b', 'y'), attack('c')], true)
    expect(found).toBe(2)
    const resumed = Object.fromEntries(trials.map((result) => [result.file, result.resumed === true]))
    expect(resumed).toEqual({ a: true, b: false, c: false })
    const [known] = trials.filter((result) => result.file === 'a')
    expect(readFileSync(join(folder, known?.trial.trace ?? ''), 'utf8').split('\n').length).toBeGreaterThan(3)
    expect((await inFolder([], true)).found).toBe(4)
  })

  test('a trial with a truncated last line is run again', async () => {
    await inFolder([attack('a'), attack('b')], false, 1)
    writeFileSync(file(), readFileSync(file(), 'utf8').slice(0, -30))
    const { found, trials } = await inFolder([attack('a'), attack('b')], true)
    expect(found).toBe(1)
    expect(trials.filter((result) => result.resumed === true)).toHaveLength(1)
    expect((await inFolder([], true)).found).toBe(2)
  })

  test('an inconclusive trial is run again', async () => {
    const at = await opened(false)
    await all([attack('a')], { run: () => ({ limits: { graceMs: 0 } }), folder: at })
    const { found, trials } = await inFolder([attack('a')], true)
    expect([found, trials.map(({ resumed }) => resumed)]).toEqual([1, [undefined]])
  })

  test('false pass 5: a trial whose trace is gone is run again', async () => {
    const { trials: before } = await inFolder([attack('a'), attack('b')], false)
    const gone = before.find((result) => result.file === 'a')?.trial.trace ?? ''
    rmSync(join(folder, gone))
    const { trials } = await inFolder([attack('a'), attack('b')], true)
    expect(Object.fromEntries(trials.map((result) => [result.file, result.resumed]))).toEqual({ a: undefined, b: true })
    expect(readFileSync(join(folder, gone), 'utf8')).toContain('joust_trace')
  })

  test('false pass 5: results of another target are refused', async () => {
    await inFolder([attack('a')], false)
    const changed = { target: 'model sim/cautious', grace: '0' }
    const other = await openSuiteFolder(folder, { resume: true, identity: changed })
    const changes = [
      'target changed from model sim/credulous to model sim/cautious',
      'prompt changed from p1 to none',
      'grace changed from none to 0',
    ]
    expect(other).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(`the journal belongs to a different target: ${changes.join('; ')}`) },
    })
  })

  const disproved = trial(1, 'resisted', { verdict: verdict('exploited') })

  test.each([
    ['{"joust_journal":7}\n', 'unsupported journal version 7, expected 5'],
    ['hello\n', 'not a journal'],
    ['HEAD\n{"file":1}\n', 'invalid trial'],
    ['HEAD\n{"file":"a","arm":"leg","fingerprint":"x","trial":{}}\n', 'expected "arm" to be one of attack, placebo'],
    ['HEAD\nbroken\n{"file":"a","arm":"attack","fingerprint":"x","trial":{}}\n', 'expected a mapping'],
    [
      'HEAD\n{"file":"a","arm":"attack","fingerprint":"x","trial":{}}\n',
      'invalid trial: the field "trial" is required',
    ],
    [
      `HEAD\n${JSON.stringify({ file: 'a', arm: 'attack', fingerprint: 'x', trial: disproved })}\n`,
      'invalid trial: outcome "resisted" contradicts other fields: a verdict is "exploited"',
    ],
  ])('%j is refused', async (written, message) => {
    const text = written.replace('HEAD', JSON.stringify({ joust_journal: 5, identity }))
    writeFileSync(file(), text)
    const refused = await openSuiteFolder(folder, { resume: true, identity })
    expect(refused).toMatchObject({ ok: false, error: { code: 'unusable', message: expect.stringContaining(message) } })
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })

  test.skipIf(process.getuid?.() === 0)(
    'one that cannot be written is told apart from one that is not ours',
    async () => {
      await opened(false)
      chmodSync(file(), 0o400)
      const refused = await openSuiteFolder(folder, { resume: true, identity })
      expect(refused).toMatchObject({ ok: false, error: { code: 'unwritable' } })
    },
  )

  test('a folder that cannot be created', async () => {
    await opened(false)
    expect(await openSuiteFolder(join(file(), 'x'))).toMatchObject({ ok: false, error: { code: 'unwritable' } })
  })

  test.runIf(process.platform === 'linux')('one that is opened and never used holds nothing open', async () => {
    await opened(false)
    const held = readdirSync('/proc/self/fd').map((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`)
      } catch {
        // The one that listed them.
        return ''
      }
    })
    expect(held).not.toContain(realpathSync(file()))
  })

  test('a trial that cannot be written ends the suite with an error', async () => {
    const at = await opened(false)
    rmSync(file())
    mkdirSync(file())
    await expect(all([attack('a')], { ...quick, folder: at })).rejects.toMatchObject({
      code: 'trace_failed',
      message: expect.stringContaining('cannot write a result'),
    })
  })

  test('a journal that is emptied during the suite is not written to', async () => {
    const at = await opened(false)
    writeFileSync(file(), '')
    await expect(all([attack('a')], { ...quick, folder: at })).rejects.toThrow('emptied or removed')
    expect(readFileSync(file(), 'utf8')).toBe('')
  })

  test('a folder with results is rejected', async () => {
    await inFolder([attack('a')], false)
    expect(await openSuiteFolder(folder)).toEqual({
      ok: false,
      error: { code: 'already_used', message: 'the folder already contains results' },
    })
  })
})
