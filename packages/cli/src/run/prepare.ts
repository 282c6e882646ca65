/** Reads and checks all inputs of a run before anything is opened. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Prover } from '@joust/adaptive/prover'
import { needsOf, shortfallsOf } from '@joust/arena'
import type { Redactor, Results } from '@joust/results'
import { defined, err, ok, type Result } from '@joust/source'
import { checkNames, mostTrials, type SuiteAttack } from '@joust/trials'
import type { GivenOptions } from '../options/read.ts'
import { type RunOptions, runOptions } from '../options/run.ts'
import { type ChosenTarget, type ChosenTargets, chooseTargets, isMissing, MISSING_TARGET } from '../project/choose.ts'
import { readProject } from '../project/read.ts'
import type { TableOptions } from '../render/results-table.ts'
import { isAsked } from '../target/models.ts'
import { planTarget } from '../target/plan-target.ts'
import { planRecordings, type Recordings } from '../target/recordings.ts'
import { fittingAttacks, type TargetPlan } from '../target/target-plan.ts'
import { type Io, tell, wrongUsage } from '../terminal/io.ts'
import { type Selection, selectAttacks } from './attacks.ts'
import { baselineFaults, loadBaseline, onlyTargets } from './baseline.ts'
import { sharesPorts, wiringFaults, wiringHints } from './check-wiring.ts'
import { planJudge } from './judge.ts'
import { proverFor } from './proofs.ts'
import { readRedactor, redactTarget, secretsOf } from './redaction.ts'
import { type CommandSuite, suiteOptions } from './suite-options.ts'
import { leftOf, synthesize } from './synthesize.ts'

export interface PreparedRun {
  /** Options shared by all targets. */
  readonly options: RunOptions
  readonly redactor: Redactor
  readonly selection: Selection
  readonly targets: readonly PreparedTarget[]
  readonly baseline: Results | undefined
}

export interface PreparedTarget {
  readonly chosen: ChosenTarget
  readonly plan: TargetPlan
  readonly suite: CommandSuite
  readonly recordings: Recordings | undefined
  /** Subfolder of the results folder; empty for a single target. */
  readonly under: string
}

/** Prepares a run from the command line and the project file. Uses `otherwise` if neither specifies attacks. */
export async function prepareGiven(
  paths: readonly string[],
  given: GivenOptions,
  io: Io,
  otherwise: readonly string[] = [],
): Promise<Result<PreparedRun, number>> {
  const config = given.config === undefined ? undefined : await runOptions.config.value.read(given.config, '--config')
  if (config?.ok === false) return err(wrongUsage([config.error], io))
  const project = await readProject(config?.value, given.quiet !== undefined, io)
  if (!project.ok) return project
  const chosen = await chooseTargets(project.value, given, io)
  if (!chosen.ok) return chosen
  const attacks = paths.length > 0 ? paths : (project.value?.attacks ?? otherwise)
  const missing = [
    ...(attacks.length === 0 ? [NO_ATTACKS] : []),
    ...(chosen.value.some(isMissing) ? MISSING_TARGET : []),
  ]
  if (missing.length > 0) return err(wrongUsage(missing, io))
  return prepareRun(attacks, chosen.value, io)
}

const NO_ATTACKS =
  'missing attacks: specify them on the command line or under "attacks" in joust.yaml (joust init creates one)'

/** Reads all inputs of a run; returns the exit code after printing errors. */
export async function prepareRun(
  paths: readonly string[],
  chosen: ChosenTargets,
  io: Io,
): Promise<Result<PreparedRun, number>> {
  const refuse = (...faults: readonly string[]) => err(wrongUsage(faults, io))
  const [{ options }] = chosen
  if (options.failOn === 'regression' && options.baseline === undefined)
    return refuse('--fail-on regression needs --baseline FILE')
  if (options.trials !== 'auto' && (options.maxTrials !== undefined || options.decide !== undefined))
    return refuse(`${options.decide === undefined ? '--max-trials' : '--decide'} needs --trials auto`)
  const secrets = (await Promise.all(chosen.map((target) => secretsOf(target, io)))).flat()
  const redactor = readRedactor(options.redact, !options.showSecrets, secrets)
  if (!redactor.ok) return refuse(redactor.error)
  const ways = await waysFor(options.mutate)
  if (!ways.ok) return refuse(ways.error)
  const selection = await selectAttacks(paths, options, io)
  if (!selection.ok) return selection
  const folders = foldersFor(chosen, options.resume && resolve(io.cwd, options.resume))
  const written = await synthesize(selection.value.attacks, options, folders[0] ?? '', io)
  if (!written.ok) return refuse(written.error)
  const { spent } = written.value
  const selected = ok({ ...selection.value, attacks: ways.value(written.value.attacks) })
  const { attacks } = selected.value
  const names = checkNames([...attacks, ...selected.value.broken])
  if (!names.ok) return refuse(names.error)
  const earlier = await loadBaseline(options.baseline, io)
  if (!earlier.ok) return refuse(earlier.error)
  const prover = proverFor(io, { strict: options.strict, baseline: earlier.value })
  const targets: PreparedTarget[] = []
  for (const [index, target] of chosen.entries()) {
    const under = folders[index] ?? ''
    const prepared = await prepareTarget(target, under, selected.value, redactor.value, secrets, prover, io)
    if (!prepared.ok) return prepared
    const { suite } = prepared.value
    targets.push({ ...prepared.value, suite: { ...suite, budget: leftOf(suite.budget, spent) } })
  }
  const abouts = targets.map(({ plan }) => redactTarget(plan.about, redactor.value))
  const baseline = earlier.value && onlyTargets(abouts, earlier.value)
  if (baseline !== undefined && !options.forceBaseline) {
    const unlike = baselineFaults(baseline, abouts, attacks)
    if (unlike.length > 0) return refuse(...unlike)
  }
  tellShortfalls(attacks, options.judge, io)
  if (!options.quiet) {
    const hints = targets.flatMap(({ chosen, plan }) => wiringHints(attacks, chosen.options, plan.about))
    for (const hint of new Set(hints)) tell(io, hint)
  }
  return ok({ options, redactor: redactor.value, selection: selected.value, targets, baseline })
}

async function waysFor(
  words: readonly string[],
): Promise<Result<(attacks: Selection['attacks']) => Selection['attacks'], string>> {
  if (words.length === 0) return ok((attacks) => attacks)
  const { waysOf, withMutants } = await import('./mutants.ts')
  const ways = waysOf(words, '--mutate')
  return ways.ok ? ok((attacks) => withMutants(attacks, ways.value)) : ways
}

async function prepareTarget(
  chosen: ChosenTarget,
  under: string,
  { attacks, broken }: Selection,
  redactor: Redactor,
  secrets: readonly string[],
  prover: Prover,
  io: Io,
): Promise<Result<PreparedTarget, number>> {
  const lead = chosen.name === undefined ? '' : `target ${chosen.name}: `
  const refuse = (...faults: readonly string[]) => {
    const messages = faults.map((fault) => `${lead}${fault}`)
    return err(wrongUsage(messages, io))
  }
  const { options } = chosen
  const plan = await planTarget(chosen, io)
  if (!plan.ok) return plan
  const faults = wiringFaults(attacks, options, plan.value.about)
  if (faults.length > 0) return refuse(...faults)
  // A recording with more redactions could not be replayed.
  const named = readRedactor(options.redact, false, secrets)
  if (!named.ok) return refuse(named.error)
  const recordings = planRecordings(options, under, named.value, io)
  if (!recordings.ok) return refuse(recordings.error)
  const fitting = fittingAttacks(attacks, plan.value)
  const bringsTools = fitting.some(({ attack }) => needsOf(attack).servers.length > 0)
  const unready = isAsked(options) ? ((await plan.value.faults?.(bringsTools)) ?? []) : []
  if (unready.length > 0) return refuse(...unready)
  const judging = await planJudge(options, attacks, recordings.value, isAsked(options), io)
  if (!judging.ok) return refuse(judging.error)
  const own = suiteOptions(options, plan.value, redactor, prover, recordings.value)
  const { attack: trials, placebo } = mostTrials(own)
  const isSequential = plan.value.service !== undefined || sharesPorts(attacks, trials + placebo, options)
  const suite = { ...own, broken, ...defined({ judge: judging.value }), ...(isSequential && { concurrency: 1 }) }
  return ok({ chosen, plan: plan.value, suite, recordings: recordings.value, under })
}

/** Returns portable subfolder names. A single target has none, unless it resumes a run with several targets. */
function foldersFor(targets: readonly ChosenTarget[], resumed: string | undefined): string[] {
  const names = folderNames(targets)
  const isOneOfSeveral = (name: string) => resumed !== undefined && existsSync(join(resumed, name))
  return targets.length > 1 || names.every(isOneOfSeveral) ? names : names.map(() => '')
}

function folderNames(targets: readonly ChosenTarget[]): string[] {
  const names = new Set<string>()
  return targets.map(({ name = '' }) => {
    const plain = name.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'target'
    let folder = plain
    for (let count = 2; names.has(folder.toLowerCase()); count++) folder = `${plain}-${count}`
    names.add(folder.toLowerCase())
    return folder
  })
}

/** Warns about unsupported actors, indicators and texts. A document with any of these never yields `resisted`. */
function tellShortfalls(attacks: readonly SuiteAttack[], judge: string | undefined, io: Io): void {
  for (const { file, attack } of attacks) {
    for (const { code, message } of shortfallsOf(attack, { cel: true, semantic: judge }))
      tell(io, `${file}: ${code}: ${message}`)
  }
}

export function tableOptions({ options }: Pick<PreparedRun, 'options'>, io: Io): TableOptions {
  return { columns: io.stdout.columns, verbose: options.verbose }
}
