/** `joust run [ATTACK…] [target]`: lets attacks loose on agents and says which ones they survive. */
import { relative } from 'node:path'
import {
  amongEarlier,
  joinResults,
  type Redacted,
  type Redactor,
  type Results,
  type SuiteFolder,
  slotsFor,
  suiteCode,
} from '@joust/arena'
import type { ReportFormat } from '@joust/report/formats'
import { count, jsonText, shellWord } from '@joust/source'
import { standInFor } from '../fleet/environment.ts'
import { optionName } from '../options/option.ts'
import type { GivenOptions } from '../options/read.ts'
import { isUrl } from '../options/values.ts'
import { coloursFor } from '../render/colours.ts'
import { renderResults } from '../render/results-table.ts'
import { tellComparison } from '../run/baseline.ts'
import { printDryRun } from '../run/dry-run.ts'
import { openFolders, type ResultFolders } from '../run/folders.ts'
import { type PreparedRun, type PreparedTarget, prepareGiven, prepareRun, tableOptions } from '../run/prepare.ts'
import { attackTarget, attackUntilStopped, controlSkipped, loudnessOf, type SuiteWatch } from '../run/suite.ts'
import { changesOf } from '../run/watch.ts'
import { besideActors, writeOutputs } from '../run/write-outputs.ts'
import { gatewayText, tryAddresses } from '../target/gateway.ts'
import { withoutSecretValues } from '../target/shown-command.ts'
import { withoutSecretsOf } from '../terminal/credentials.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../terminal/io.ts'

/** Runs the attacks; results go to stdout, progress to stderr, files to the folder of the results. */
export async function run(paths: readonly string[], given: GivenOptions, io: Io): Promise<number> {
  const queued = given.queue !== undefined && given.dryRun === undefined
  // Whoever submits a campaign only looks, as in a dry run: keys, commands and modules are where the workers are.
  const world = queued ? { ...io, env: standInFor(io.env) } : io
  const prepared = await prepareGiven(paths, queued ? { ...given, dryRun: [] } : given, world)
  if (!prepared.ok) return prepared.error
  if (queued) {
    const { runCampaign } = await import('./campaign/run.ts')
    return runCampaign(prepared.value, io)
  }
  const { dryRun: isDry, watch } = prepared.value.options
  if (isDry) return dryRun(prepared.value, io)
  const attack = watch ? watchAll : attackAll
  return attack(prepared.value, { paths, given }, besideActors(prepared.value, io))
}

function dryRun({ selection, targets }: PreparedRun, io: Io): number {
  for (const { given, target } of targets) printDryRun(selection.attacks, target, given.options, io)
  return selection.broken.length === 0 ? exitCodes.ok : exitCodes.inconclusive
}

/** What was asked for, as the user wrote it. */
interface Asked {
  readonly paths: readonly string[]
  readonly given: GivenOptions
}

async function attackAll(prepared: PreparedRun, asked: Asked, io: Io): Promise<number> {
  return attackUntilStopped(io, async (signal) => {
    const opened = await openFolders(prepared, io)
    return opened.ok ? attackInto(opened.value, prepared, asked, signal, io) : wrongUsage([opened.error], io)
  })
}

async function attackInto(
  opened: ResultFolders,
  prepared: PreparedRun,
  { paths, given }: Asked,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const results = await attackEach(prepared, opened, signal, io)
  const code = await conclude(results, prepared, opened.home, signal, io)
  const { stopped } = results
  // A watched run starts over.
  if (given.watch === undefined && (stopped?.reason === 'interrupted' || stopped?.reason === 'budget'))
    tell(io, `to continue: ${resumeLine(paths, given, opened.word, prepared.redactor, io)}`)
  return code
}

/** `joust run library --model sim/cautious --resume DIR`: continues the results in a folder. Secrets are hidden. */
export function resumeLine(
  paths: readonly string[],
  given: GivenOptions,
  folder: string,
  redactor: Redactor,
  io: Io,
): string {
  const { out: _, resume: __, ...others } = given
  const options = Object.entries(others).flatMap(([key, values = []]) => [
    optionName(key),
    ...values.map((value) => shownValue(key, value)),
  ])
  const words = ['joust', 'run', ...paths, ...options, '--resume', folder]
  return words.map((word) => shellWord(redactor.text(withoutSecretsOf(io.env, word)))).join(' ')
}

/** Options whose values are command lines. */
const commands: ReadonlySet<string> = new Set(['exec', 'execNext', 'acp'])

/** Commands without their secrets; those of addresses are hidden with the line. */
function shownValue(key: string, value: string): string {
  if (commands.has(key)) return withoutSecretValues(value)
  const place = value.slice(value.indexOf('=') + 1)
  if (key !== 'target' || isUrl(place)) return value
  return `${value.slice(0, -place.length)}${withoutSecretValues(place)}`
}

/** Runs everything once, then each attack whenever its file changes. A broken file is reported, and waited for. */
async function watchAll(prepared: PreparedRun, asked: Asked, io: Io): Promise<number> {
  const { paths } = prepared.selection
  if (paths.length === 0) return wrongUsage(['--watch needs files: standard input does not change'], io)
  return attackUntilStopped(io, async (signal) => {
    const opened = await openFolders(prepared, io)
    if (!opened.ok) return wrongUsage([opened.error], io)
    const wait = () => tell(io, `watching ${count(paths.length, 'file')}; Ctrl-C ends`)
    const changes = changesOf(paths, signal)
    if (prepared.selection.attacks.length > 0) await attackInto(opened.value, prepared, asked, signal, io)
    if (!signal.aborted) wait()
    let times = 1
    for await (const changed of changes) {
      times += 1
      await attackAgain(changed, `${opened.value.word}-${times}`, prepared, asked, signal, io)
      if (!signal.aborted) wait()
    }
    return exitCodeOf(signal)
  })
}

async function attackAgain(
  changed: readonly string[],
  out: string,
  { targets }: PreparedRun,
  asked: Asked,
  signal: AbortSignal,
  io: Io,
): Promise<void> {
  // Whoever answered the first time is not controlled again.
  const again = targets.map(({ given }) => ({ ...given, options: { ...given.options, out, noControl: true } }))
  const [first, ...others] = again
  if (first === undefined) return
  const prepared = await prepareRun(changed, [first, ...others], io)
  if (!prepared.ok || prepared.value.selection.attacks.length === 0) return
  const opened = await openFolders(prepared.value, io)
  if (opened.ok) await attackInto(opened.value, prepared.value, asked, signal, io)
  else wrongUsage([opened.error], io)
}

/** One target after the other: each has its own finished trials, budget and judge. */
export async function attackEach(
  prepared: PreparedRun,
  { folders, earlier }: ResultFolders,
  signal: AbortSignal,
  io: Io,
  watchOf?: (target: PreparedTarget) => SuiteWatch,
): Promise<Redacted<Results>> {
  const { options, targets, selection, redactor } = prepared
  const parts: { results: Redacted<Results>; under: string }[] = []
  await tryAddresses(targets.map(({ given }) => given.options))
  for (const [index, one] of targets.entries()) {
    const folder = folders[index]
    if (folder === undefined) continue
    if (!options.quiet && !signal.aborted) announce(prepared, one, folder, io)
    const { judge, ...rest } = one
    const several = targets.length > 1 ? { lead: `${one.target.about.name}: ` } : {}
    const shared = {
      selection,
      redactor,
      folder,
      allowHosts: one.given.options.allowHost,
      skipControl: controlSkipped(one.given.options),
      loudness: loudnessOf(options),
      signal,
    }
    // What follows an interruption is reported as not run, and nobody is asked to judge it.
    const job = { ...rest, ...several, ...shared, ...watchOf?.(one), judge: signal.aborted ? undefined : judge }
    const { gateway } = one.target
    if (!signal.aborted) await gateway?.open()
    const results = await attackTarget(job, io).finally(() => gateway?.close())
    parts.push({ results, under: one.under })
  }
  const [only] = parts
  return only?.under === '' ? only.results : amongEarlier(joinResults(parts), earlier)
}

async function conclude(
  results: Redacted<Results>,
  prepared: PreparedRun,
  home: string,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const { options, selection, baseline } = prepared
  const { json, quiet, report: formats, failOn, maxErrors } = options
  const written = await writeOutputs(results, home, formats, io)
  io.stdout.write(
    json ? jsonText(results) : renderResults(results, coloursFor(io, 'stdout'), tableOptions(prepared, io)),
  )
  await annotateLog(results, options, io)
  if (!quiet) {
    const { filtered } = selection
    if (filtered > 0) tell(io, `the filters left out ${count(filtered, 'attack')}`)
    for (const file of written) tell(io, relative(io.cwd, file) || file)
  }
  const comparison = baseline === undefined ? undefined : tellComparison(baseline, results, options.forceBaseline, io)
  if (signal.aborted) return exitCodeOf(signal)
  if (written.length < 1 + formats.filter((format) => format !== 'json').length) return exitCodes.failure
  return suiteCode(results, { failOn, maxErrors, regressions: comparison?.regressions })
}

function announce(
  { selection }: PreparedRun,
  { target, plan, given }: PreparedTarget,
  { finished }: SuiteFolder,
  io: Io,
) {
  const { trials, concurrency } = plan
  const earlier = finished.found === 0 ? '' : `, ${count(finished.found, 'earlier result')}`
  const runs = `${count(selection.attacks.length, 'attack')} × ${count(trials, 'trial')}, ${concurrency} at a time${earlier}`
  tell(io, runs)
  tell(io, `target: ${target.about.kind} ${target.about.name}`)
  const { gateway } = target
  if (gateway === undefined) return
  const slots = slotsFor(selection.attacks.map(({ attack }) => attack))
  io.stderr.write(`joust: ${gatewayText(gateway, slots, given.options.gatewayHeader)}`)
  if (!gateway.isLocal) tell(io, OPEN)
  if (!gateway.tellsRunsApart && given.options.concurrency !== 1) tell(io, ONE_BY_ONE)
}

const OPEN = 'the gateway can be reached from other machines: whoever reaches it is taken for the agent'

const ONE_BY_ONE =
  'runs go one after the other through the gateway; with --gateway-header, which the agent has to pass on, they run side by side'

/** Writes annotations to the log for GitHub Actions, which reads both streams: what is printed as JSON stays JSON. */
async function annotateLog(
  results: Redacted<Results>,
  { report, json }: { readonly report: readonly ReportFormat[]; readonly json: boolean },
  io: Io,
): Promise<void> {
  if (!report.includes('github') || io.env.GITHUB_ACTIONS !== 'true') return
  const { renderGithub } = await import('@joust/report')
  io[json ? 'stderr' : 'stdout'].writeData(renderGithub(results))
}
