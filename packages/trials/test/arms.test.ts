import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Redacted, Results } from '@joust/results'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadedAttack, selfPlay } from '../../arena/test/support/attacks.ts'
import { openSuiteFolder, type SuiteFolder } from '../src/folder.ts'
import type { SuiteAttack, SuiteOptions, SuiteTrial } from '../src/options.ts'
import { finishSuite, runSuite } from '../src/suite.ts'

const PLACE = 'attack.execution.actors[1].phases[0].state.actions[0].params.arguments.text'

/** An attack whose bait is the text of a call; `placebo` replaces it. */
const attack = (file: string, word: string, placebo: string, text = 'bait'): SuiteAttack => ({
  file,
  attack: loadedAttack({
    ...selfPlay(word, [text]),
    'x-joust-bait': [PLACE],
    'x-joust-placebo': { [PLACE]: placebo },
  } as never),
})

/** Succeeds with the bait only, in both arms, and in none. */
const works = () => attack('works', 'bait', 'calm')
const always = () => attack('always', 'a', 'calm')
const never = () => attack('never', 'z', 'calm')

const quick: SuiteOptions = {
  run: () => ({ wire: { client: 'server' }, limits: { graceMs: 0 } }),
  arms: 'placebo',
  about: { kind: 'function', name: 'f' },
  skipPreflight: 'no agent',
}

async function suite(attacks: readonly SuiteAttack[], options: SuiteOptions = {}) {
  const trials: SuiteTrial[] = []
  const results = await finishSuite(runSuite(attacks, { ...quick, ...options }), (one) => trials.push(one))
  return {
    trials: trials.map(({ file, arm, trial }) => `${file} ${arm} ${trial.trial} ${trial.outcome}`).sort(),
    results,
  }
}

const attacksIn = (results: Redacted<Results>) =>
  Object.fromEntries(results.targets.flatMap((target) => target.attacks).map((one) => [one.file, one]))

describe('the sensitivity arm', () => {
  const run: SuiteOptions['run'] = ({ arm }) => ({
    wire: { client: 'server' },
    limits: { graceMs: 0 },
    ...(arm === 'sensitivity' && { target: { name: 'f', lacks: () => ['no model'], start: () => Promise.reject() } }),
  })

  test('runs once for an attack that does not succeed, beside placebos', async () => {
    const { trials, results } = await suite([works(), never()], { trials: 2, arms: 'sensitivity', run })
    expect(trials.filter((one) => one.includes('sensitivity'))).toEqual(['never sensitivity 1 not_applicable'])
    expect(trials.filter((one) => one.includes('placebo'))).toHaveLength(2)
    const { works: good, never: none } = attacksIn(results)
    expect([good?.controls?.sensitivity, none?.controls?.sensitivity, none?.outcome]).toEqual([
      undefined,
      { fell: 0, of: 0, skipped: 'no model' },
      'resisted',
    ])
  })
})

describe('the placebo arm', () => {
  test('runs once an attack succeeds, as often as the attack, and decides its outcome', async () => {
    const { trials, results } = await suite([works(), always(), never()], { trials: 2 })
    expect(trials).toEqual([
      ...['always attack 1', 'always attack 2', 'always placebo 1', 'always placebo 2'].map(
        (run) => `${run} exploited`,
      ),
      ...['never attack 1', 'never attack 2'].map((run) => `${run} resisted`),
      ...['works attack 1', 'works attack 2'].map((run) => `${run} exploited`),
      ...['works placebo 1', 'works placebo 2'].map((run) => `${run} resisted`),
    ])
    const { works: good, always: bad, never: none } = attacksIn(results)
    expect([good?.outcome, bad?.outcome, none?.outcome]).toEqual(['exploited', 'inconclusive', 'resisted'])
    expect(bad?.reasons[0]).toBe('also happens without the bait, in 2 of 2 runs')
    expect(good?.placebo_trials).toHaveLength(2)
    expect(none?.controls?.placebo).toBeUndefined()
  })

  test('is off by default, and can be turned off', async () => {
    const { trials } = await suite([works()], { arms: 'none' })
    expect(trials).toEqual(['works attack 1 exploited'])
    const { arms: _, ...rest } = quick
    expect((await finishSuite(runSuite([works()], rest))).targets[0]?.attacks[0]?.controls?.placebo).toBeUndefined()
  })

  test('that cannot be made is named', async () => {
    const { trials, results } = await suite([{ file: 'a', attack: loadedAttack(selfPlay('x', ['x'])) }])
    expect(trials).toEqual(['a attack 1 exploited'])
    expect(attacksIn(results).a?.reasons[0]).toMatch(/^not compared .*: no placebo can be derived/)
  })

  test('runs at most five times, and not after the budget is used up', async () => {
    expect((await suite([works()], { trials: 7 })).trials.filter((run) => run.includes('placebo'))).toHaveLength(5)
    const run: SuiteOptions['run'] = ({ spend }) => {
      spend({ inputTokens: 10, outputTokens: 0 })
      return { wire: { client: 'server' }, limits: { graceMs: 0 } }
    }
    const { results } = await suite([works()], { trials: 2, concurrency: 1, run, budget: { tokens: 30 } })
    expect(results.stopped?.reason).toBe('budget')
    expect(attacksIn(results).works?.trials.length).toBe(2)
  })
})

describe('a resumed suite', () => {
  let path = ''
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'joust-arms-'))
  })
  afterEach(() => rmSync(path, { recursive: true }))
  const open = async (resume: boolean, placebo = 5): Promise<SuiteFolder> => {
    const folder = await openSuiteFolder(path, {
      resume,
      files: ['works'],
      most: { attack: 2, placebo, sensitivity: 0 },
    })
    if (!folder.ok) throw new Error(folder.error.message)
    return folder.value
  }

  test('keeps the runs of both arms and runs the missing ones', async () => {
    const first = await suite([works()], { trials: 2, concurrency: 1, folder: await open(false) })
    expect(attacksIn(first.results).works?.placebo_trials?.map(({ trace }) => trace)).toEqual([
      'traces/works.placebo.1.jsonl',
      'traces/works.placebo.2.jsonl',
    ])
    const journal = join(path, 'journal.jsonl')
    const lines = readFileSync(journal, 'utf8').trim().split('\n')
    // The second placebo trial is missing.
    writeFileSync(journal, `${lines.slice(0, -1).join('\n')}\n`)
    let ran = 0
    const onEvent: SuiteOptions['onEvent'] = (_, { type }) => {
      if (type === 'run-started') ran += 1
    }
    const again = await suite([works()], { trials: 2, folder: await open(true), onEvent })
    expect(ran).toBe(1)
    expect(again.trials).toEqual(first.trials)
    expect(attacksIn(again.results).works?.controls).toEqual(attacksIn(first.results).works?.controls)
  })

  test('takes over a placebo trial that only a new result calls for', async () => {
    await suite([works()], { trials: 1, concurrency: 1, folder: await open(false) })
    const journal = join(path, 'journal.jsonl')
    const [head, , placebo] = readFileSync(journal, 'utf8').trim().split('\n')
    writeFileSync(journal, `${head}\n${placebo}\n`)
    const { trials, results } = await suite([works()], { trials: 1, folder: await open(true) })
    expect(trials).toEqual(['works attack 1 exploited', 'works placebo 1 resisted'])
    expect(attacksIn(results).works?.placebo_trials).toHaveLength(1)
  })
})

describe('trials until a question is answered', () => {
  const auto = { limit: 0.15, most: 25 }

  test('go to the attacks that are undecided', async () => {
    const { results } = await suite([works(), never()], { trials: auto })
    const { works: bad, never: good } = attacksIn(results)
    expect(bad?.decision).toEqual({ question: 'asr<15%', answer: 'no', trials: 3, more: 0 })
    expect(good?.decision).toEqual({ question: 'asr<15%', answer: 'yes', trials: 22, more: 0 })
    expect([bad?.trials.length, bad?.placebo_trials?.length, good?.trials.length]).toEqual([3, 3, 22])
    expect(results.suite).toMatchObject({ trials: 25, decide: 'asr<15%' })
  })

  test('count each run once, even if several end before the first one is examined', async () => {
    const seen: string[] = []
    const running = runSuite([never(), works()], { ...quick, trials: auto, concurrency: 16 })
    for await (const { file, arm, trial } of running) {
      seen.push(`${file} ${arm} ${trial.trial}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(seen).toHaveLength(22 + 3 + 3)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('end at the limit with the number that would decide', async () => {
    const { results } = await suite([never()], { trials: { limit: 0.05, most: 4 } })
    expect(attacksIn(results).never?.decision).toEqual({ question: 'asr<5%', answer: 'undecided', trials: 4, more: 64 })
  })
})
