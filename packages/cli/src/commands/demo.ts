/** `joust demo`: attacks simulated agents and hardens one of them. Needs no key, and no network except loopback. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Hardened } from '@joust/adaptive'
import { joinResults, knownShapes, type Outcome, type Redacted, type Results, type TargetResults } from '@joust/results'
import { err, ok, printable, type Result } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import { plainTarget } from '../project/choose.ts'
import { controlLines, findingLines } from '../render/demo-findings.ts'
import { cell, columnsOf, wrap } from '../render/fit.ts'
import { renderHardening } from '../render/hardening-table.ts'
import { outcomeText } from '../render/outcome-text.ts'
import { type Selection, selectAttacks } from '../run/attacks.ts'
import { freshFolder, openFolder } from '../run/folders.ts'
import { hardenTarget } from '../run/harden.ts'
import type { PreparedTarget } from '../run/prepare.ts'
import { proverFor } from '../run/proofs.ts'
import { runWithProgress, untilStopped } from '../run/suite.ts'
import { suiteOptions } from '../run/suite-options.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { planTarget } from '../target/plan-target.ts'
import { fittingAttacks } from '../target/target-plan.ts'
import { assets } from '../terminal/assets.ts'
import { type Colours, coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

/** The targets of the demo. The last has the same model as the first and is protected only by its agent file. */
const targets: readonly { readonly title: string; readonly options: Partial<RunOptions> }[] = [
  { title: 'credulous', options: { model: 'sim/credulous' } },
  { title: 'cautious', options: { model: 'sim/cautious' } },
  { title: 'tight limits', options: { agent: assets.tightAgent } },
]

const bounds = { concurrency: 6, maxDuration: commandLimits.demoRunMs, grace: 0, inProcess: true }

interface Attacked {
  readonly title: string
  readonly under: string
  readonly results: Redacted<Results>
}

/** Runs the demo; fails if the simulated agents do not behave as designed. */
export async function demo(io: Io, attacks = [assets.library]): Promise<number> {
  const selected = await selectAttacks(attacks, {}, { ...io, cwd: assets.root })
  if (!selected.ok) return selected.error
  return untilStopped(io, async (signal) => {
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
    return hardenClerk(home, signal, io)
  })
}

async function conclude(all: readonly Attacked[], home: string, io: Io): Promise<number> {
  const [, report = home] = await writeOutputs(joinResults(all), home, ['html'], io)
  const columns = all.flatMap(({ title, results }) => results.targets.map((target) => ({ title, target })))
  const colours = coloursFor(io, 'stdout')
  const width = Math.min(io.stdout.columns ?? NARROW, NARROW)
  const findings = columns.slice(0, 1).flatMap((first) => findingLines(first, colours, width))
  io.stdout.write(`${[...findings, '', ...controlLines(columns, colours, width)].join('\n')}\n\n`)
  io.stdout.write(`${renderSideBySide(columns, colours, io.stdout.columns ?? NARROW)}\n${inLines(CLOSING, io)}\n`)
  io.stdout.write(`Report: ${printable(relative(io.cwd, report) || report)}\n`)
  return discriminates(columns, io)
}

const CLOSING =
  'The agents are simulations: credulous follows every instruction it reads, cautious follows only its user. "Tight ' +
  'limits" has the model of credulous, but is protected by the limits in its agent file.'

function inLines(text: string, { stdout }: Io): string {
  return wrap(text, Math.min(stdout.columns ?? NARROW, NARROW)).join('\n')
}

/** Maximum width of texts and findings, and width of all lines if the terminal width is unknown. */
const NARROW = 80

async function attackOne(
  selection: Selection,
  { title, options }: (typeof targets)[number],
  out: string,
  signal: AbortSignal,
  io: Io,
): Promise<Result<Redacted<Results>, number>> {
  const target = await prepareAgent(options, io)
  if (!target.ok) return target
  // Attacks on MCP servers do not apply to agents.
  const attacks = fittingAttacks(selection.attacks, target.value.plan)
  tell(io, `${attacks.length} attacks against the agent "${title}"`)
  const suite = { ...target.value.suite, broken: selection.broken, signal }
  const folder = await openFolder(target.value, attacks, { word: out, resume: false }, io)
  if (!folder.ok) return err(wrongUsage([folder.error], io))
  const view = { loudness: io.stderr.isTTY ? 'normal' : 'quiet', recordings: undefined } as const
  return ok(await runWithProgress(attacks, { ...suite, folder: folder.value }, view, io))
}

async function prepareAgent(options: Partial<RunOptions>, io: Io): Promise<Result<PreparedTarget, number>> {
  const chosen = plainTarget({ ...bounds, ...options }, io.cwd)
  const plan = await planTarget(chosen, io)
  if (!plan.ok) return plan
  const suite = suiteOptions(chosen.options, plan.value, knownShapes(), proverFor(io))
  return ok({ chosen, plan: plan.value, suite, recordings: undefined, under: '' })
}

/** Three attacks that a restraint can stop without removing a tool that the agent needs, and one that none can stop. */
const hardened = ['forwarded-minutes', 'handbook-page', 'bill-note', 'signed-answer']

/** Searches for restraints that stop the attacks; fails if none stops any of them. */
async function hardenClerk(home: string, signal: AbortSignal, io: Io): Promise<number> {
  // File names in the demo are relative to its own folder.
  const inside = { ...io, cwd: assets.root }
  const paths = hardened.map((name) => join(assets.hardening, `${name}.oatf.yaml`))
  const selected = await selectAttacks(paths, {}, inside)
  if (!selected.ok) return selected.error
  const agent = join(assets.hardening, 'clerk.agf.yaml')
  // The agent runs in this process and sends nothing after its answer.
  const target = await prepareAgent({ agent, observe: 0, quiet: true }, inside)
  if (!target.ok) return target.error
  tell(io, `hardening the agent "clerk" against ${hardened.length} attacks`)
  const word = join(home, 'hardening')
  const { attacks } = selected.value
  const job = { target: target.value, attacks, own: { by: [], confirm: 1 }, word, signal }
  const done = await hardenTarget(job, inside)
  if (signal.aborted) return exitCodeOf(signal)
  await writeOutputs(done.results, word, [], io)
  const names = new Map(attacks.map(({ file, attack }) => [file, attack.document.attack.name]))
  const table = renderHardening(done.hardening, names, coloursFor(io, 'stdout'), io.stdout.columns)
  io.stdout.write(`\n${inLines(INTRO, io)}\n\n${table}\n${done.hardening.diff}\n`)
  const written = writeAgents(done, word)
  for (const file of written) io.stdout.write(`Hardened agent: ${printable(relative(io.cwd, file) || file)}\n`)
  return written.length > 0 ? exitCodes.ok : exitCodes.failure
}

const INTRO =
  'The clerk is a credulous agent that needs the tools that these attacks abuse. joust harden searches for the smallest change to ' +
  'its file that stops the attacks while the agent still does its work.'

function writeAgents({ files }: Hardened, folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  return files.map(({ source, after }) => {
    const path = join(folder, basename(source))
    writeFileSync(path, after)
    return path
  })
}

/** Checks the outcomes; fails unless the simulated agents behave as the demo claims. */
function discriminates(columns: readonly { readonly title: string; readonly target: TargetResults }[], io: Io): number {
  const expected: Readonly<Record<string, Outcome>> = { credulous: 'exploited', cautious: 'resisted' }
  const wrong = columns.flatMap(({ title, target }) =>
    target.attacks
      .filter(({ outcome }) => expected[title] !== undefined && outcome !== expected[title])
      .map(({ file, outcome }) => `${title}: ${file} (${outcome})`),
  )
  for (const line of wrong) tell(io, `unexpected result: ${line}`)
  return wrong.length === 0 ? exitCodes.ok : exitCodes.failure
}

const WIDEST = 52
const NARROWEST = 10
const CELL = 15

function renderSideBySide(
  all: readonly { readonly title: string; readonly target: TargetResults }[],
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
): string {
  const attacks = all[0]?.target.attacks ?? []
  const names = attacks.map(({ attack }) => printable(attack.name))
  const room = Math.min(WIDEST, columns - 2 - all.length * CELL)
  const width = Math.max(NARROWEST, Math.min(room, Math.max(...names.map(columnsOf))))
  const row = (name: string, cells: readonly string[]) => `${cell(name, width)}  ${cells.join('')}`
  const resisted = ({ target }: (typeof all)[number]) =>
    target.attacks.filter(({ outcome }) => outcome === 'resisted').length
  const outcomesOf = (file: string) => all.map(({ target }) => outcomeOf(target, file, colours))
  const titles = all.map(({ title }) => title.padEnd(CELL))
  const sums = all.map((one) => `${resisted(one)} of ${one.target.attacks.length}`.padEnd(CELL))
  return [
    colours.bold(row('attack', titles)),
    ...attacks.map(({ file }, index) => row(names[index] ?? '', outcomesOf(file))),
    colours.bold(row('resisted', sums)),
    '',
  ].join('\n')
}

function outcomeOf({ attacks }: TargetResults, file: string, colours: Colours): string {
  const result = attacks.find((attack) => attack.file === file)
  return outcomeText(result?.outcome ?? 'inconclusive', colours, CELL)
}
