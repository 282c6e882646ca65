/** Runs a suite per target, with progress on stderr. */
import { ArenaError } from '@joust/arena'
import {
  amongEarlier,
  joinResults,
  preflightSummary,
  type Redacted,
  type ResultPreflight,
  type Results,
} from '@joust/results'
import { count, defined, splitBlock } from '@joust/source'
import { slotsFor } from '@joust/targets'
import {
  finishSuite,
  firstTrials,
  runSuite,
  type SuiteAttack,
  type SuiteFolder,
  type SuiteOptions,
  type SuiteTrial,
} from '@joust/trials'
import type { RunOptions } from '../options/run.ts'
import { trialsText, withArm } from '../render/plan-text.ts'
import { createProgress, type Verbosity } from '../render/progress.ts'
import { gatewayText, tryAddresses } from '../target/gateway.ts'
import { servedModelText } from '../target/model-access.ts'
import type { Recordings } from '../target/recordings.ts'
import { type TargetPlan, whileOpen } from '../target/target-plan.ts'
import { throughSummary } from '../target/through.ts'
import { exitCodeOf, giveUp, type Io, tell } from '../terminal/io.ts'
import type { ResultFolders } from './folders.ts'
import type { PreparedRun, PreparedTarget } from './prepare.ts'
import { withProofs } from './proofs.ts'
import type { CommandSuite } from './suite-options.ts'

/** Listeners for the events of a suite, in addition to the progress on stderr. */
export interface SuiteWatch extends Pick<SuiteOptions, 'onEvent' | 'onPreflight'> {
  readonly onTrial?: (trial: SuiteTrial) => void
}

interface SuiteView {
  readonly loudness: Verbosity
  /** Prefix for attack names, if there are several targets. */
  readonly lead?: string
  /** Recordings of the runs. Each is closed when its run ends. */
  readonly recordings: Recordings | undefined
}

export function loudnessOf({ quiet, verbose }: Pick<RunOptions, 'quiet' | 'verbose'>): Verbosity {
  if (quiet) return 'quiet'
  return verbose ? 'verbose' : 'normal'
}

/** Runs `work` until it finishes or is stopped. System errors are reported; results already written are kept. */
export function untilStopped(io: Io, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  return io.stoppable((signal) =>
    work(signal).catch((thrown: unknown) => {
      if (!(thrown instanceof ArenaError)) throw thrown
      if (signal.aborted) return exitCodeOf(signal)
      return giveUp(thrown.message, io)
    }),
  )
}

/** Runs the targets one after the other; each has its own finished trials, budget and judge. */
export async function runTargets(
  prepared: PreparedRun,
  { folders, earlier }: ResultFolders,
  signal: AbortSignal,
  io: Io,
  watchOf?: (target: PreparedTarget) => SuiteWatch,
): Promise<Redacted<Results>> {
  const { options, targets, selection } = prepared
  const parts: { results: Redacted<Results>; under: string }[] = []
  await tryAddresses(targets.map(({ chosen }) => chosen.options))
  for (const [index, one] of targets.entries()) {
    const folder = folders[index]
    if (folder === undefined) continue
    if (!options.quiet && !signal.aborted) announce(prepared, one, folder, io)
    const lead = targets.length > 1 ? `${one.plan.about.name}: ` : ''
    const view = { loudness: loudnessOf(options), lead, recordings: one.recordings }
    const suite = { ...one.suite, folder, signal, ...watchOf?.(one) }
    const run = (preflight = suite.preflight) =>
      runWithProgress(selection.attacks, { ...suite, ...defined({ preflight }) }, view, io)
    const slots = slotsIn(selection, one.plan)
    let isOpen = false
    const open = () =>
      whileOpen(one.plan, slots, signal, () => {
        isOpen = true
        return run()
      }).catch((thrown: unknown) => {
        // The other targets are run even if this one cannot start.
        if (isOpen || targets.length === 1 || signal.aborted || !(thrown instanceof ArenaError)) throw thrown
        tell(io, `${lead}${thrown.message}`)
        return run({ status: 'failed', reasons: [thrown.message] })
      })
    const results = signal.aborted ? await run() : await open()
    parts.push({ results, under: one.under })
  }
  const [only] = parts
  return only?.under === '' ? only.results : amongEarlier(joinResults(parts), earlier)
}

function announce(
  { selection }: PreparedRun,
  { plan, suite, chosen }: PreparedTarget,
  { finished }: SuiteFolder,
  io: Io,
) {
  const { concurrency } = suite
  const earlier = finished.found === 0 ? '' : `, ${count(finished.found, 'earlier result')}`
  const runs = `${count(selection.attacks.length, 'attack')} × ${trialsText(suite.trials)}, ${concurrency} at a time${earlier}`
  tell(io, runs)
  tell(io, `target: ${plan.about.kind} ${plan.about.name}`)
  const { gateway, served, service, through } = plan
  if (through !== undefined) tell(io, throughSummary(through))
  if (service !== undefined) {
    if (chosen.options.concurrency !== 1) tell(io, ONE_PROCESS)
    return
  }
  if (served !== undefined) io.stderr.write(`joust: ${servedModelText(served, chosen.options)}`)
  if (gateway === undefined) return
  const slots = slotsIn(selection, plan)
  io.stderr.write(`joust: ${gatewayText(gateway, slots, chosen.options.gatewayHeader)}`)
  if (!gateway.isLocal) tell(io, OPEN)
  if (!gateway.allowsConcurrentRuns && chosen.options.concurrency !== 1) tell(io, ONE_BY_ONE)
}

function slotsIn({ attacks }: PreparedRun['selection'], { through }: TargetPlan) {
  const loaded = attacks.map(({ attack }) => attack)
  return slotsFor(loaded, through?.servers.length)
}

const ONE_PROCESS = 'serve: runs are sequential, because the agent has one address for its servers and its model'

const OPEN = 'the gateway is reachable from other machines: any client that connects is treated as the agent'

const ONE_BY_ONE =
  'runs through the gateway are sequential; use --gateway-header, which the agent must forward, to run them concurrently'

/** Runs a suite; runs that were not started are noted in the results. */
export async function runWithProgress(
  attacks: readonly SuiteAttack[],
  suite: CommandSuite & SuiteWatch,
  { loudness, lead = '', recordings }: SuiteView,
  io: Io,
): Promise<Redacted<Results>> {
  const names = new Map(attacks.map(({ file, attack }) => [file, `${lead}${attack.document.attack.name}`]))
  const nameOf = ({ file, arm }: Pick<SuiteTrial, 'file' | 'arm'>) => withArm(names.get(file) ?? file, arm)
  const fingerprints = new Map(attacks.map(({ file, attack }) => [file, attack.fingerprint]))
  const progress = createProgress(io, attacks.length * firstTrials(suite), loudness, suite.redactor.text)
  const trials = runSuite(attacks, {
    ...withProofs(attacks, suite, loudness === 'quiet', io),
    onPreflight(preflight) {
      suite.onPreflight?.(preflight)
      if (loudness !== 'quiet') tell(io, preflight === 'started' ? ASKING : preflightText(preflight))
    },
    onEvent(run, event) {
      suite.onEvent?.(run, event)
      progress.event({ ...run, name: nameOf(run) }, event)
    },
  })
  const proofs = new Map<string, () => void>()
  const results = await finishSuite(trials, (done) => {
    const { file, arm, trial, resumed } = done
    if (arm === 'attack' && trial.outcome === 'exploited' && !proofs.has(file))
      proofs.set(file, suite.prover.addExploited(fingerprints.get(file) ?? ''))
    suite.onTrial?.(done)
    recordings?.close({ file, arm, trial: trial.trial })
    progress.finished({ file, arm, trial: trial.trial, name: nameOf(done) }, trial, resumed === true)
  }).finally(() => progress.end())
  // A success that also happens without the bait proves nothing for the next target.
  for (const { file, outcome } of results.targets.flatMap(({ attacks }) => attacks))
    if (outcome !== 'exploited') proofs.get(file)?.()
  return results
}

const ASKING = 'preflight: sending the agent a harmless request'

export function preflightText(preflight: ResultPreflight): string {
  const { status, asked, reasons, duration_ms = 0, mcp_version, usage } = preflight
  const why =
    reasons.length === 0
      ? ` in ${(duration_ms / 1000).toFixed(1)} s`
      : `: ${reasons.map((reason) => splitBlock(reason)[0]).join('; ')}`
  const version = mcp_version === undefined ? '' : `, with MCP ${mcp_version} as requested by the agent`
  const summary = preflightSummary(preflight)
  const detail = summary === undefined ? '' : `: ${summary}`
  const only =
    asked === 'answer' && status === 'passed' ? '; tool calls were not checked, because no attack has tools' : ''
  const cost = usage === undefined ? '' : `; ${count(usage.input_tokens + usage.output_tokens, 'token')}`
  return `preflight: ${status}${why}${version}${detail}${only}${cost}`
}
