/** `joust run [ATTACK…] [target]`: runs attacks on agents and reports which ones succeed. */
import { relative } from 'node:path'
import {
  compareResults,
  type Redacted,
  type Redactor,
  type ResultPreflight,
  type Results,
  suiteCode,
} from '@joust/results'
import { count, defined, jsonText, shellWord } from '@joust/source'
import { placeholderEnvironment } from '../fleet/environment.ts'
import { optionName } from '../options/option.ts'
import type { GivenOptions } from '../options/read.ts'
import type { RunOptions } from '../options/run.ts'
import { isUrl } from '../options/values.ts'
import { renderResults } from '../render/results-table.ts'
import { tellComparison } from '../run/baseline.ts'
import { printDryRun } from '../run/dry-run.ts'
import { openFolders, type ResultFolders } from '../run/folders.ts'
import { type PreparedRun, prepareGiven, prepareRun, tableOptions } from '../run/prepare.ts'
import { runTargets, untilStopped } from '../run/suite.ts'
import { watchFiles } from '../run/watch.ts'
import { besideActors, writeOutputs } from '../run/write-outputs.ts'
import { withoutSecretValues } from '../target/shown-command.ts'
import { coloursFor } from '../terminal/colours.ts'
import { withoutSecretsOf } from '../terminal/credentials.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../terminal/io.ts'

/** Runs the attacks; prints results to stdout and progress to stderr, writes files to the results folder. */
export async function run(paths: readonly string[], given: GivenOptions, io: Io): Promise<number> {
  const queued = given.queue !== undefined && given.dryRun === undefined
  // Submitting a campaign is like a dry run: keys, commands and modules are on the worker machines.
  const world = queued ? { ...io, env: placeholderEnvironment(io.env) } : io
  const prepared = await prepareGiven(paths, queued ? { ...given, dryRun: [] } : given, world)
  if (!prepared.ok) return prepared.error
  if (queued) {
    const { runCampaign } = await import('./campaign/run.ts')
    return runCampaign(prepared.value, io)
  }
  if (prepared.value.options.dryRun) return dryRun(prepared.value, io)
  return runPrepared(prepared.value, { paths, given }, besideActors(prepared.value, io))
}

function dryRun({ selection, targets }: PreparedRun, io: Io): number {
  for (const { chosen, plan } of targets) printDryRun(selection.attacks, plan, chosen.options, io)
  return selection.broken.length === 0 ? exitCodes.ok : exitCodes.inconclusive
}

interface Invocation {
  readonly paths: readonly string[]
  readonly given: GivenOptions
}

async function runPrepared(prepared: PreparedRun, invocation: Invocation, io: Io): Promise<number> {
  const { watch } = prepared.options
  if (watch && prepared.selection.paths.length === 0)
    return wrongUsage(['--watch needs files: standard input does not change'], io)
  return untilStopped(io, async (signal) => {
    const opened = await openFolders(prepared, io)
    if (!opened.ok) return wrongUsage([opened.error], io)
    return (watch ? runAndWatch : runAndConclude)(opened.value, prepared, invocation, signal, io)
  })
}

type Preflights = Map<string, ResultPreflight>

async function runAndConclude(
  opened: ResultFolders,
  prepared: PreparedRun,
  { paths, given }: Invocation,
  signal: AbortSignal,
  io: Io,
  preflights: Preflights = new Map(),
): Promise<number> {
  const results = await runTargets(prepared, opened, signal, io, ({ under }) => ({
    onPreflight: (preflight) => preflight === 'started' || preflights.set(under, preflight),
  }))
  const code = await conclude(results, prepared, opened.home, signal, io)
  const { stopped } = results
  // A watched run cannot be resumed.
  if (given.watch === undefined && (stopped?.reason === 'interrupted' || stopped?.reason === 'budget'))
    tell(io, `to continue: ${resumeLine(paths, given, opened.word, prepared.redactor, io)}`)
  return code
}

/** Returns the command that resumes a run, without secrets: `joust run library --model sim/cautious --resume DIR`. */
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

const commands: ReadonlySet<string> = new Set(['exec', 'execNext', 'acp'])

/** Hides secrets in an option value that is a command line; `resumeLine` hides secrets in URLs. */
function shownValue(key: string, value: string): string {
  if (commands.has(key)) return withoutSecretValues(value)
  const place = value.slice(value.indexOf('=') + 1)
  if (key !== 'target' || isUrl(place)) return value
  return `${value.slice(0, -place.length)}${withoutSecretValues(place)}`
}

async function runAndWatch(
  opened: ResultFolders,
  prepared: PreparedRun,
  invocation: Invocation,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const { paths, attacks } = prepared.selection
  const wait = () => tell(io, `watching ${count(paths.length, 'file')}; Ctrl-C stops`)
  const { follow, changes } = watchFiles(signal)
  follow(paths)
  const preflights: Preflights = new Map()
  if (attacks.length > 0) await runAndConclude(opened, prepared, invocation, signal, io, preflights)
  if (!signal.aborted) wait()
  let times = 1
  for await (const changed of changes) {
    times += 1
    await runChanged(changed, `${opened.word}-${times}`, prepared, { ...invocation, preflights }, signal, io)
    if (!signal.aborted) wait()
  }
  return exitCodeOf(signal)
}

async function runChanged(
  changed: readonly string[],
  out: string,
  { targets }: PreparedRun,
  { preflights, ...invocation }: Invocation & { readonly preflights: Preflights },
  signal: AbortSignal,
  io: Io,
): Promise<void> {
  // The preflight is not repeated.
  const again = targets.map(({ chosen }) => ({ ...chosen, options: { ...chosen.options, out, noPreflight: true } }))
  const [first, ...others] = again
  if (first === undefined) return
  const prepared = await prepareRun(changed, [first, ...others], io)
  if (!prepared.ok || prepared.value.selection.attacks.length === 0) return
  const same = prepared.value.targets.map(({ suite, ...rest }) => {
    return { ...rest, suite: { ...suite, ...defined({ preflight: preflights.get(rest.under) }) } }
  })
  const opened = await openFolders(prepared.value, io)
  if (opened.ok) await runAndConclude(opened.value, { ...prepared.value, targets: same }, invocation, signal, io)
  else wrongUsage([opened.error], io)
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
  const compared = baseline && compareResults(baseline, results, { force: options.forceBaseline })
  const comparison = compared?.ok === true ? compared.value : undefined
  const written = await writeOutputs(results, home, formats, io, comparison)
  const table = () => renderResults(results, coloursFor(io, 'stdout'), tableOptions(prepared, io))
  io.stdout.write(json ? jsonText(results) : table())
  await annotateLog(results, options, io)
  if (!quiet) {
    const { filtered } = selection
    if (filtered > 0) tell(io, `${count(filtered, 'attack')} excluded by the filters`)
    for (const file of written) tell(io, relative(io.cwd, file) || file)
  }
  if (compared !== undefined) tellComparison(compared, results, io)
  if (signal.aborted) return exitCodeOf(signal)
  if (written.length < 1 + formats.filter((format) => format !== 'json').length) return exitCodes.failure
  return suiteCode(results, { failOn, maxErrors, regressions: comparison?.regressions })
}

/** Writes annotations for GitHub Actions, to stderr if stdout is JSON. GitHub reads both streams. */
async function annotateLog(results: Redacted<Results>, { report, json }: RunOptions, io: Io): Promise<void> {
  if (!report.includes('github') || io.env.GITHUB_ACTIONS !== 'true') return
  const { renderGithub } = await import('@joust/report')
  io[json ? 'stderr' : 'stdout'].writeData(renderGithub(results))
}
