/** Measures the library against a simulated agent at different concurrencies. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { needsOf } from '@joust/arena'
import { load } from '@joust/oatf'
import { findSimulatedHost } from '@joust/targets'
import { modelTarget } from '@joust/targets/agent'
import { runSuite, type SuiteAttack } from '@joust/trials'

interface SuiteFigures {
  readonly concurrency: number
  readonly inProcess: boolean
  readonly runs: number
  readonly seconds: number
  /** Processor seconds per run, over all threads. */
  readonly cpu: number
  /** Peak memory in bytes. */
  readonly held: number
}

const library = fileURLToPath(new URL('../../library', import.meta.url))
const TRIALS = 10

/** Runs every attack on agents in the library ten times at each concurrency, including documents with delays. */
export async function benchSuite(): Promise<SuiteFigures[]> {
  const attacks = readdirSync(library)
    .filter((name) => name.endsWith('.oatf.yaml'))
    .map(readAttack)
    // The others attack programs other than a model with tools.
    .filter(({ attack }) => findSimulatedHost(needsOf(attack)) === undefined)
  const figures: SuiteFigures[] = []
  for (const concurrency of [1, 4, 16]) figures.push(await measureSuite(attacks, concurrency, false))
  figures.push(await measureSuite(attacks, 16, true))
  return figures
}

async function measureSuite(
  attacks: readonly SuiteAttack[],
  concurrency: number,
  inProcess: boolean,
): Promise<SuiteFigures> {
  let held = 0
  const watch = setInterval(() => {
    held = Math.max(held, process.memoryUsage().rss)
  }, 100)
  const started = performance.now()
  const before = process.cpuUsage()
  let runs = 0
  const run = () => ({
    target: modelTarget({ model: 'sim/credulous', inProcess }),
    limits: { graceMs: 0, observeMs: 0 },
  })
  for await (const { file, trial } of runSuite(attacks, { trials: TRIALS, concurrency, run })) {
    // Some documents are not run, because they need a feature that the simulated agents lack, such as push
    // notifications.
    if (trial.outcome === 'not_applicable') continue
    if (trial.verdict.result !== 'exploited') throw new Error(`${file} is ${trial.verdict.result}`)
    runs += 1
  }
  clearInterval(watch)
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - started) / 1000
  return { concurrency, inProcess, runs, seconds, cpu: (user + system) / 1e6 / runs, held }
}

function readAttack(file: string): SuiteAttack {
  const loaded = load(readFileSync(join(library, file), 'utf8'))
  if (!loaded.ok) throw new Error(`${file} is invalid`)
  return { file, attack: loaded.value }
}
