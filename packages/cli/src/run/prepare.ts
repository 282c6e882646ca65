/** Everything that a run needs, read and checked before anything is opened. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  needsOf,
  type Redactor,
  type Results,
  repeatedName,
  type SuiteAttack,
  type SuiteOptions,
  shortfallsOf,
} from '@joust/arena'
import { err, ok, type Result } from '@joust/source'
import type { GivenOptions } from '../options/read.ts'
import { type RunOptions, runOptions } from '../options/run.ts'
import { chooseTargets, isNobody, type RunTarget, type RunTargets, WHO } from '../project/choose.ts'
import { readProject } from '../project/read.ts'
import type { TableOptions } from '../render/results-table.ts'
import { type Cassettes, planCassettes } from '../target/cassette.ts'
import { isAsked } from '../target/models.ts'
import { planTarget } from '../target/plan-target.ts'
import { fittingAttacks, type TargetPlan } from '../target/target-plan.ts'
import { type Io, tell, wrongUsage } from '../terminal/io.ts'
import { type Selection, selectAttacks } from './attacks.ts'
import { baselineFaults, readBaseline } from './baseline.ts'
import { sharesPorts, wiringFaults, wiringHints } from './check-wiring.ts'
import { planJudge } from './judge.ts'
import { planOf, type SuitePlan } from './plan.ts'
import { readRedactor, redactTarget, secretsOf } from './redaction.ts'
import { leftOf, synthesize } from './synthesize.ts'

/** A run that can begin. */
export interface PreparedRun {
  /** The options that all targets share. */
  readonly options: RunOptions
  readonly redactor: Redactor
  readonly selection: Selection
  readonly targets: readonly PreparedTarget[]
  readonly baseline: Results | undefined
}

/** A target that can be attacked. */
export interface PreparedTarget {
  readonly given: RunTarget
  readonly plan: SuitePlan
  readonly target: TargetPlan
  readonly cassettes: Cassettes | undefined
  readonly judge: SuiteOptions['judge']
  /** Its folder below that of the results; empty where it is the only target. */
  readonly under: string
}

/** The options of a command, over those of the project file, with everything that both name. */
export async function prepareGiven(
  paths: readonly string[],
  given: GivenOptions,
  io: Io,
): Promise<Result<PreparedRun, number>> {
  const config = given.config === undefined ? undefined : await runOptions.config.value.read(given.config, '--config')
  if (config?.ok === false) return err(wrongUsage([config.error], io))
  const project = await readProject(config?.value, given.quiet !== undefined, io)
  if (!project.ok) return project
  const chosen = await chooseTargets(project.value, given, io)
  if (!chosen.ok) return chosen
  const attacks = paths.length > 0 ? paths : (project.value?.attacks ?? [])
  const missing = [...(attacks.length === 0 ? [NOTHING] : []), ...(chosen.value.some(isNobody) ? WHO : [])]
  if (missing.length > 0) return err(wrongUsage(missing, io))
  return prepareRun(attacks, chosen.value, io)
}

const NOTHING = 'name attacks, here or under "attacks" in joust.yaml; joust init writes one'

/** Reads what the options name, or returns the exit code after saying what is wrong with it. */
export async function prepareRun(
  paths: readonly string[],
  chosen: RunTargets,
  io: Io,
): Promise<Result<PreparedRun, number>> {
  const refuse = (...faults: readonly string[]) => err(wrongUsage(faults, io))
  const [{ options }] = chosen
  if (options.failOn === 'regression' && options.baseline === undefined)
    return refuse('--fail-on regression needs --baseline FILE')
  const secrets = (await Promise.all(chosen.map((target) => secretsOf(target, io)))).flat()
  const redactor = readRedactor(options.redact, !options.showSecrets, secrets)
  if (!redactor.ok) return refuse(redactor.error)
  const ways = await waysFor(options.mutate)
  if (!ways.ok) return refuse(ways.error)
  const found = await selectAttacks(paths, options, io)
  if (!found.ok) return found
  const folders = foldersFor(chosen, options.resume && resolve(io.cwd, options.resume))
  const written = await synthesize(found.value.attacks, options, folders[0] ?? '', io)
  if (!written.ok) return refuse(written.error)
  const { spent } = written.value
  const selected = ok({ ...found.value, attacks: ways.value(written.value.attacks) })
  const { attacks } = selected.value
  const repeated = repeatedName([...attacks, ...selected.value.broken])
  if (repeated !== undefined) return refuse(repeated)
  const targets: PreparedTarget[] = []
  for (const [index, given] of chosen.entries()) {
    const prepared = await prepareTarget(given, folders[index] ?? '', selected.value, secrets, io)
    if (!prepared.ok) return prepared
    const { plan } = prepared.value
    targets.push({ ...prepared.value, plan: { ...plan, budget: leftOf(plan.budget, spent) } })
  }
  const abouts = targets.map(({ target }) => redactTarget(target.about, redactor.value))
  const baseline = await readBaseline(options.baseline, abouts, io)
  if (!baseline.ok) return refuse(baseline.error)
  if (baseline.value !== undefined && !options.forceBaseline) {
    const unlike = baselineFaults(baseline.value, abouts, attacks)
    if (unlike.length > 0) return refuse(...unlike)
  }
  tellShortfalls(attacks, options.judge, io)
  if (!options.quiet) {
    const hints = targets.flatMap(({ given, target }) => wiringHints(attacks, given.options, target.about))
    for (const hint of new Set(hints)) tell(io, hint)
  }
  return ok({ options, redactor: redactor.value, selection: selected.value, targets, baseline: baseline.value })
}

/** Turns attacks into the attacks that are run; rewriting is loaded only where it is wanted. */
async function waysFor(
  words: readonly string[],
): Promise<Result<(attacks: Selection['attacks']) => Selection['attacks'], string>> {
  if (words.length === 0) return ok((attacks) => attacks)
  const { waysOf, withMutants } = await import('./mutants.ts')
  const ways = waysOf(words, '--mutate')
  return ways.ok ? ok((attacks) => withMutants(attacks, ways.value)) : ways
}

async function prepareTarget(
  given: RunTarget,
  under: string,
  { attacks }: Selection,
  secrets: readonly string[],
  io: Io,
): Promise<Result<PreparedTarget, number>> {
  const lead = given.name === undefined ? '' : `target ${given.name}: `
  const refuse = (...faults: readonly string[]) => {
    const told = faults.map((fault) => `${lead}${fault}`)
    return err(wrongUsage(told, io))
  }
  const { options } = given
  const target = await planTarget(given, io)
  if (!target.ok) return target
  const faults = wiringFaults(attacks, options, target.value.about)
  if (faults.length > 0) return refuse(...faults)
  // If a recording hid more than this, it could not replay what was said.
  const named = readRedactor(options.redact, false, secrets)
  if (!named.ok) return refuse(named.error)
  const cassettes = await planCassettes(options, under, named.value, io)
  if (!cassettes.ok) return refuse(cassettes.error)
  const fitting = fittingAttacks(attacks, target.value)
  const bringsTools = fitting.some(({ attack }) => needsOf(attack).servers.length > 0)
  const unready = isAsked(options) ? ((await target.value.faults?.(bringsTools)) ?? []) : []
  if (unready.length > 0) return refuse(...unready)
  const judging = await planJudge(options, attacks, cassettes.value, isAsked(options), io)
  if (!judging.ok) return refuse(judging.error)
  const plan = planOf(options)
  return ok({
    given,
    plan: sharesPorts(attacks, plan.trials, options) ? { ...plan, concurrency: 1 } : plan,
    target: target.value,
    cassettes: cassettes.value,
    judge: judging.value,
    under,
  })
}

/** A folder for each target that any file system allows; empty for a single one, unless it continues one of several. */
function foldersFor(targets: readonly RunTarget[], resumed: string | undefined): string[] {
  const names = folderNames(targets)
  const isOneOfSeveral = (name: string) => resumed !== undefined && existsSync(join(resumed, name))
  return targets.length > 1 || names.every(isOneOfSeveral) ? names : names.map(() => '')
}

function folderNames(targets: readonly RunTarget[]): string[] {
  const taken = new Set<string>()
  return targets.map(({ name = '' }) => {
    const plain = name.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'target'
    let folder = plain
    for (let count = 2; taken.has(folder.toLowerCase()); count++) folder = `${plain}-${count}`
    taken.add(folder.toLowerCase())
    return folder
  })
}

/** Reports actors, indicators and texts that nobody plays, evaluates or writes: such a document lets no agent pass. */
function tellShortfalls(attacks: readonly SuiteAttack[], judge: string | undefined, io: Io): void {
  for (const { file, attack } of attacks) {
    for (const { code, message } of shortfallsOf(attack, { cel: true, semantic: judge }))
      tell(io, `${file}: ${code}: ${message}`)
  }
}

/** How the results of a run are shown on standard output. */
export function tableOptions({ options, targets }: Pick<PreparedRun, 'options' | 'targets'>, io: Io): TableOptions {
  return {
    columns: io.stdout.columns,
    verbose: options.verbose,
    prices: targets.map(({ given }) => given.options.price),
  }
}
