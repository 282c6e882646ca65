/** `joust demo`: the library against simulated agents, side by side, and one of them hardened; no key, no network beyond loopback. */

import { join, relative } from 'node:path'
import { joinResults, knownShapes, type Outcome, type Redacted, type Results, type TargetResults } from '@joust/arena'
import { beginning, err, ok, printable, type Result } from '@joust/source'
import { defaultsOf } from '../options/read.ts'
import { type RunOptions, runOptions } from '../options/run.ts'
import { type Colours, coloursFor } from '../render/colours.ts'
import { outcomeText } from '../render/outcome-text.ts'
import { type Selection, selectAttacks } from '../run/attacks.ts'
import { demoHardening } from '../run/demo-hardening.ts'
import type { SuitePlan } from '../run/plan.ts'
import { attackTarget, freshFolder, openFolder } from '../run/suite.ts'
import { planTarget } from '../run/target.ts'
import { fittingAttacks } from '../run/target-plan.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { assets } from '../terminal/assets.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

/** Who is attacked. The last one has the model of the first: what it survives, it survives by its limits. */
const targets: readonly { readonly title: string; readonly options: Partial<RunOptions> }[] = [
  { title: 'credulous', options: { model: 'sim/credulous', inProcess: true } },
  { title: 'cautious', options: { model: 'sim/cautious', inProcess: true } },
  { title: 'tight limits', options: { agent: assets.tightAgent, inProcess: true } },
]

const plan: SuitePlan = {
  trials: 1,
  concurrency: 6,
  retries: 0,
  runMs: commandLimits.demoRunMs,
  observeMs: undefined,
  graceMs: 0,
  budget: {},
  maxErrors: undefined,
  failOn: undefined,
}

/** One of them, attacked. */
interface Attacked {
  readonly title: string
  readonly under: string
  readonly results: Redacted<Results>
}

/** Runs all of it; fails when the simulated agents do not come out as they are made to. */
export async function demo(io: Io, attacks = [assets.library]): Promise<number> {
  const selected = await selectAttacks(attacks, {}, { ...io, cwd: assets.root })
  if (!selected.ok) return selected.error
  return io.stoppable(async (signal) => {
    const home = join(io.cwd, freshFolder(io.cwd, 'demo-'))
    const all: Attacked[] = []
    for (const target of targets) {
      const { title } = target
      const under = title.replaceAll(' ', '-')
      const results = await attackOne(selected.value, target, join(home, under), signal, io)
      if (!results.ok) return results.error
      all.push({ title, under, results: results.value })
      if (signal.aborted) return exitCodeOf(signal)
    }
    const code = await conclude(all, home, io)
    if (code !== exitCodes.ok) return code
    return demoHardening(home, plan, signal, io)
  })
}

/** The table, one file of results for all targets, and the report on it. */
async function conclude(all: readonly Attacked[], home: string, io: Io): Promise<number> {
  const [, report = home] = await writeOutputs(joinResults(all), home, ['html'], io)
  const columns = all.flatMap(({ title, results }) => results.targets.map((target) => ({ title, target })))
  io.stdout.write(`${renderSideBySide(columns, coloursFor(io, 'stdout'))}\n${closing}\n`)
  io.stdout.write(`Report: ${printable(relative(io.cwd, report) || report)}\n`)
  return discriminates(columns, io)
}

const closing = `The agents are simulations: credulous does what it finds written anywhere, cautious does what the user asked for, and the
third one is credulous within tight limits. What it survives, it survives by what its file declares, not by its model.`

async function attackOne(
  selection: Selection,
  { title, options }: (typeof targets)[number],
  out: string,
  signal: AbortSignal,
  io: Io,
): Promise<Result<Redacted<Results>, number>> {
  const here = { home: io.cwd, project: undefined }
  const draft = { given: {}, ...here }
  const given = { options: { ...defaultsOf(runOptions), ...options }, ...here, secrets: [], draft }
  const target = await planTarget(given, io)
  if (!target.ok) return target
  // Attacks on MCP servers are not for agents.
  const fitting = { ...selection, attacks: fittingAttacks(selection.attacks, target.value) }
  io.stderr.write(`joust: ${fitting.attacks.length} attacks against the agent "${title}"\n`)
  const job = { selection: fitting, target: target.value, plan, redactor: knownShapes() }
  const folder = await openFolder(given, { word: out, resume: false }, job, io)
  if (!folder.ok) return err(wrongUsage([folder.error], io))
  return ok(
    await attackTarget({ ...job, folder: folder.value, loudness: io.stderr.isTTY ? 'normal' : 'quiet', signal }, io),
  )
}

/** A demo whose controls do not differ would be telling stories. */
function discriminates(columns: readonly { readonly title: string; readonly target: TargetResults }[], io: Io): number {
  const expected: Readonly<Record<string, Outcome>> = { credulous: 'exploited', cautious: 'resisted' }
  const wrong = columns.flatMap(({ title, target }) =>
    target.attacks
      .filter(({ outcome }) => expected[title] !== undefined && outcome !== expected[title])
      .map(({ file, outcome }) => `${title}: ${file} (${outcome})`),
  )
  for (const line of wrong) io.stderr.write(`joust: not as it should be: ${printable(line)}\n`)
  return wrong.length === 0 ? exitCodes.ok : exitCodes.failure
}

/** How many characters of a name are shown. */
const WIDEST = 52
const CELL = 15

/** A row per attack, a column per target, and how many attacks each of them survived. */
function renderSideBySide(
  all: readonly { readonly title: string; readonly target: TargetResults }[],
  colours: Colours,
): string {
  const attacks = all[0]?.target.attacks ?? []
  const width = Math.min(WIDEST, Math.max(10, ...attacks.map(({ attack }) => attack.name.length)))
  const head = `${'attack'.padEnd(width)}  ${all.map(({ title }) => title.padEnd(CELL)).join('')}`
  const rows = attacks.map(({ file, attack }) => {
    const cells = all.map(({ target }) => cell(target, file, colours))
    return `${printable(beginning(attack.name, width)).padEnd(width)}  ${cells.join('')}`
  })
  const sums = all.map(({ target }) => {
    const resisted = target.attacks.filter(({ outcome }) => outcome === 'resisted').length
    return `${resisted} of ${target.attacks.length}`.padEnd(CELL)
  })
  return [colours.bold(head), ...rows, colours.bold(`${'resisted'.padEnd(width)}  ${sums.join('')}`), ''].join('\n')
}

function cell({ attacks }: TargetResults, file: string, colours: Colours): string {
  const found = attacks.find((attack) => attack.file === file)
  return outcomeText(found?.outcome ?? 'inconclusive', colours, CELL)
}
