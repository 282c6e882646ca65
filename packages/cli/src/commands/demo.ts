/** `joust demo`: the library against simulated agents, and one of them hardened; no key, no network but loopback. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { joinResults, knownShapes, type Outcome, type Redacted, type Results, type TargetResults } from '@joust/arena'
import type { Hardened } from '@joust/arena/harden'
import { err, ok, printable, type Result } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import { plainTarget } from '../project/choose.ts'
import { type Colours, coloursFor } from '../render/colours.ts'
import { cell, columnsOf, wrap } from '../render/fit.ts'
import { renderHardening } from '../render/hardening-table.ts'
import { outcomeText } from '../render/outcome-text.ts'
import { type Selection, selectAttacks } from '../run/attacks.ts'
import { freshFolder, openFolder } from '../run/folders.ts'
import { hardenTarget } from '../run/harden.ts'
import type { SuitePlan } from '../run/plan.ts'
import { attackTarget, attackUntilStopped } from '../run/suite.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { planTarget } from '../target/plan-target.ts'
import { fittingAttacks } from '../target/target-plan.ts'
import { assets } from '../terminal/assets.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

/** Who is attacked. The last one has the model of the first: what it survives, it survives thanks to its limits. */
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
  replyMs: undefined,
  observeMs: undefined,
  graceMs: 0,
  budget: {},
}

/** A target, and its results. */
interface Attacked {
  readonly title: string
  readonly under: string
  readonly results: Redacted<Results>
}

/** Runs all of it; fails when the simulated agents do not behave as designed. */
export async function demo(io: Io, attacks = [assets.library]): Promise<number> {
  const selected = await selectAttacks(attacks, {}, { ...io, cwd: assets.root })
  if (!selected.ok) return selected.error
  return attackUntilStopped(io, async (signal) => {
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

/** The table, one file of results for all targets, and the report on it. */
async function conclude(all: readonly Attacked[], home: string, io: Io): Promise<number> {
  const [, report = home] = await writeOutputs(joinResults(all), home, ['html'], io)
  const columns = all.flatMap(({ title, results }) => results.targets.map((target) => ({ title, target })))
  io.stdout.write(
    `${renderSideBySide(columns, coloursFor(io, 'stdout'), io.stdout.columns)}\n${inLines(CLOSING, io)}\n`,
  )
  io.stdout.write(`Report: ${printable(relative(io.cwd, report) || report)}\n`)
  return discriminates(columns, io)
}

const CLOSING =
  'The agents are simulations: credulous does what it finds written anywhere, cautious does what the user asked for, and the ' +
  'third one is credulous within tight limits. What it survives, it survives by what its file declares, not by its model.'

/** A paragraph, no wider than the terminal and than can be read well. */
function inLines(text: string, { stdout }: Io): string {
  return wrap(text, Math.min(stdout.columns ?? WIDEST_LINE, WIDEST_LINE)).join('\n')
}

const WIDEST_LINE = 120

async function attackOne(
  selection: Selection,
  { title, options }: (typeof targets)[number],
  out: string,
  signal: AbortSignal,
  io: Io,
): Promise<Result<Redacted<Results>, number>> {
  const given = plainTarget(options, io.cwd)
  const target = await planTarget(given, io)
  if (!target.ok) return target
  // Attacks on MCP servers are not for agents.
  const fitting = { ...selection, attacks: fittingAttacks(selection.attacks, target.value) }
  tell(io, `${fitting.attacks.length} attacks against the agent "${title}"`)
  const job = { selection: fitting, target: target.value, plan, redactor: knownShapes() }
  const folder = await openFolder(given, { word: out, resume: false }, job, io)
  if (!folder.ok) return err(wrongUsage([folder.error], io))
  return ok(
    await attackTarget({ ...job, folder: folder.value, loudness: io.stderr.isTTY ? 'normal' : 'quiet', signal }, io),
  )
}

/** Three that can be stopped though the work needs the tools they abuse, and one that nothing in a file can stop. */
const hardened = ['forwarded-minutes', 'handbook-page', 'bill-note', 'signed-answer']

/**
 * The finale: a credulous agent, and what its file has to declare; the table, the diff and the file. Fails when nothing
 * was found.
 */
async function hardenClerk(home: string, signal: AbortSignal, io: Io): Promise<number> {
  // File names in the demo are relative to its own folder.
  const inside = { ...io, cwd: assets.root }
  const paths = hardened.map((name) => join(assets.hardening, `${name}.oatf.yaml`))
  const selected = await selectAttacks(paths, {}, inside)
  if (!selected.ok) return selected.error
  const agent = join(assets.hardening, 'clerk.agf.yaml')
  const given = plainTarget({ agent, inProcess: true, quiet: true }, assets.root)
  const target = await planTarget(given, inside)
  if (!target.ok) return target.error
  tell(io, `hardening the agent "clerk" against ${hardened.length} attacks`)
  // The agent runs in this process: once it has answered, nothing more will come.
  const bounds = { ...plan, observeMs: 0 }
  const planned = { given, plan: bounds, target: target.value, cassettes: undefined, judge: undefined, under: '' }
  const word = join(home, 'hardening')
  const prepared = { options: given.options, redactor: knownShapes() }
  const job = { prepared, target: planned, attacks: selected.value.attacks, own: { by: [], confirm: 1 }, word, signal }
  const done = await hardenTarget(job, inside)
  if (signal.aborted) return exitCodeOf(signal)
  await writeOutputs(done.results, word, [], io)
  const names = new Map(selected.value.attacks.map(({ file, attack }) => [file, attack.document.attack.name]))
  const table = renderHardening(done.hardening, names, coloursFor(io, 'stdout'), io.stdout.columns)
  io.stdout.write(`\n${inLines(INTRO, io)}\n\n${table}\n`)
  io.stdout.write(`${done.hardening.diff}\n`)
  const written = writeAgents(done, word)
  for (const file of written) io.stdout.write(`Hardened agent: ${printable(relative(io.cwd, file) || file)}\n`)
  return written.length > 0 ? exitCodes.ok : exitCodes.failure
}

const INTRO =
  'The clerk is as credulous, and its work needs the very tools that these attacks abuse. joust harden looks for the smallest change to ' +
  'its file that stops them and leaves the work done.'

function writeAgents({ files }: Hardened, folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  return files.map(({ source, after }) => {
    const path = join(folder, basename(source))
    writeFileSync(path, after)
    return path
  })
}

/** A demo whose controls do not differ would prove nothing. */
function discriminates(columns: readonly { readonly title: string; readonly target: TargetResults }[], io: Io): number {
  const expected: Readonly<Record<string, Outcome>> = { credulous: 'exploited', cautious: 'resisted' }
  const wrong = columns.flatMap(({ title, target }) =>
    target.attacks
      .filter(({ outcome }) => expected[title] !== undefined && outcome !== expected[title])
      .map(({ file, outcome }) => `${title}: ${file} (${outcome})`),
  )
  for (const line of wrong) tell(io, `not as it should be: ${line}`)
  return wrong.length === 0 ? exitCodes.ok : exitCodes.failure
}

/** How many columns a name gets, where the terminal has room. */
const WIDEST = 52
const NARROWEST = 10
const CELL = 15

/** A row per attack, a column per target, and how many attacks each of them survived. Names give way. */
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
  const found = attacks.find((attack) => attack.file === file)
  return outcomeText(found?.outcome ?? 'inconclusive', colours, CELL)
}
