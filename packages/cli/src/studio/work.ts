/** The work that the studio requests: runs, proofs and project files, with live progress. */
import { readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import {
  describeAttack,
  type Redacted,
  type RedactingSink,
  type Redactor,
  type Results,
  redactingSink,
  withTrace,
} from '@joust/results'
import { RESULTS_HOME } from '@joust/results/files'
import { beginning, err, ok, type Result } from '@joust/source'
import type { CampaignWork, ProjectInfo, RunRequest, StudioWork, SuiteEnd, SuiteEvent } from '@joust/studio'
import { mostTrials } from '@joust/trials'
import { discoverAttacks, folderNotes, type InputFile } from '../input/discover.ts'
import type { GivenOptions } from '../options/read.ts'
import type { ProveOptions } from '../options/results.ts'
import { runOptions } from '../options/run.ts'
import { readProject } from '../project/read.ts'
import { projectShape } from '../project/shape.ts'
import { freshFolder, openFolders } from '../run/folders.ts'
import { type PreparedRun, type PreparedTarget, prepareGiven } from '../run/prepare.ts'
import { runTargets, type SuiteWatch } from '../run/suite.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'
import { studioAim } from './aim.ts'
import { type Capture, captureIo } from './capture.ts'
import { judgeTrace } from './judge-trace.ts'

interface Commands {
  readonly prove: (paths: readonly string[], options: ProveOptions, io: Io) => Promise<number>
  readonly init: (io: Io, wrote: (name: string) => void) => Promise<number>
}

type Tell = (event: SuiteEvent) => void

/** Creates the work that the studio can request, in the folder `io.cwd`. */
export function studioWork(io: Io, { prove, init }: Commands, campaigns?: CampaignWork): StudioWork {
  return {
    ...(campaigns && { campaigns }),
    project: async () => ({ ...(await projectInfo(io)), ...(campaigns && { queue: campaigns.place }) }),
    async run(request, tell, signal) {
      const capture = captureIo(io, signal)
      const prepared = await prepare(request, capture.io)
      if (prepared === undefined) return { state: 'failed', message: capture.text() }
      const opened = await openFolders(prepared, capture.io)
      if (!opened.ok) return { state: 'failed', message: opened.error }
      plan(prepared, tell)
      const watches = createWatches(prepared.redactor, tell)
      const results = await runTargets(prepared, opened.value, signal, capture.io, watches)
      return conclude(results, prepared, opened.value.home, capture, signal)
    },
    judge: judgeTrace,
    aim: studioAim(io),
    async prove(path, signal) {
      const capture = captureIo(io, signal)
      const code = await prove([path], { json: false, strict: false, quiet: false }, capture.io)
      return { proven: code === exitCodes.ok, text: capture.text() }
    },
    async init() {
      const capture = captureIo(io, new AbortController().signal)
      const wrote: string[] = []
      await init(capture.io, (name) => wrote.push(name))
      return { text: capture.text(), wrote }
    },
  }
}

async function projectInfo(io: Io): Promise<ProjectInfo> {
  const capture = captureIo(io, new AbortController().signal)
  const none = { attacks: [], targets: [], trials: 1, shape: projectShape }
  const project = await readProject(undefined, true, capture.io)
  if (!project.ok) return { ...none, problem: capture.text() }
  if (project.value === undefined) return none
  const { path, attacks = [], targets, given } = project.value
  const files = await discoverAttacks(attacks, io.cwd)
  const listed = files.ok ? files.value.filter(({ folder }) => folder === undefined) : []
  const unread = files.ok ? files.value.flatMap(folderNote) : files.error
  const own = new Set(listed.map((file) => file.path))
  const bundled = await discoverAttacks(['library'], io.cwd)
  const extra = bundled.ok ? bundled.value.filter((file) => file.folder === undefined && !own.has(file.path)) : []
  const listedAs = (file: InputFile) => ({ file: file.name, name: nameIn(file.path) ?? file.name })
  return {
    path: relative(io.cwd, path),
    attacks: [...listed.map(listedAs), ...extra.map((file) => ({ ...listedAs(file), isExtra: true as const }))],
    targets: targets.map(({ name, kind }) => ({ name, kind })),
    trials: given.trials?.[0] === 'auto' ? 'auto' : Number(given.trials?.[0] ?? runOptions.trials.default),
    shape: projectShape,
    ...(unread.length > 0 && { problem: unread.join('\n') }),
  }
}

function folderNote({ name, folder }: InputFile): string[] {
  return folder === undefined ? [] : [`${name}: ${folderNotes[folder]}`]
}

/** Returns the name of an attack by a regular expression, because parsing a thousand documents would take seconds. */
function nameIn(path: string): string | undefined {
  try {
    const match = /^ {1,8}name: *(?:"([^"\n]+)"|'([^'\n]+)'|([^\n]+))$/m.exec(readFileSync(path, 'utf8'))
    const name = match?.[1] ?? match?.[2] ?? match?.[3]
    return name === undefined ? undefined : beginning(name.trim(), 200)
  } catch {
    return undefined
  }
}

/** Prepares a run as a campaign; the error is the output of the command. */
export async function prepareCampaign(
  request: RunRequest,
  queue: string,
  io: Io,
): Promise<Result<{ readonly prepared: PreparedRun; readonly io: Io }, string>> {
  const capture = captureIo(io, new AbortController().signal)
  const prepared = await prepare(request, capture.io, { queue: [queue], dryRun: [] })
  return prepared === undefined ? err(capture.text()) : ok({ prepared, io: capture.io })
}

async function prepare(
  { attacks = [], targets, trials }: RunRequest,
  io: Io,
  // Always below the default results folder, so that the studio finds them.
  more: GivenOptions = { out: [freshFolder(io.cwd)] },
): Promise<PreparedRun | undefined> {
  const options = {
    quiet: [],
    ...more,
    ...(targets !== undefined && { on: targets }),
    ...(trials !== undefined && { trials: [String(trials)] }),
  }
  const prepared = await prepareGiven(attacks, options, io)
  return prepared.ok ? prepared.value : undefined
}

function plan({ targets, selection }: PreparedRun, tell: Tell): void {
  const suite = targets[0]?.suite
  tell({
    kind: 'planned',
    targets: targets.map(({ plan }) => plan.about.name),
    trials: suite === undefined ? 1 : mostTrials(suite).attack,
    ...(typeof suite?.trials === 'object' && { atMost: true }),
    attacks: selection.attacks.map(({ file, attack }) => {
      const { name, severity } = describeAttack(attack)
      return { file, name, ...(severity !== undefined && { severity }) }
    }),
  })
  for (const { file, faults } of selection.broken) {
    const messages = faults.map(({ line, message }) => (line === undefined ? message : `line ${line}: ${message}`))
    tell({ kind: 'log', text: `${file} cannot be run: ${messages.join('; ')}` })
  }
}

function createWatches(redactor: Redactor, tell: Tell): (target: PreparedTarget) => SuiteWatch {
  return ({ plan: { about }, under }) => {
    const target = about.name
    const sinks = new Map<string, RedactingSink>()
    return {
      onPreflight: (preflight) => tell({ kind: 'preflight', target, preflight }),
      onEvent({ file, arm, trial }, event) {
        // Shown with the controls of the attack.
        if (arm === 'sensitivity') return
        const place = { target, file, ...(arm === 'placebo' && { arm }), trial }
        const key = JSON.stringify([file, arm, trial])
        if (event.type === 'run-started') tell({ kind: 'started', ...place })
        else if (event.type === 'phase-entered')
          tell({ kind: 'phase', ...place, actor: event.actor, phase: event.phase })
        else if (event.type === 'message-recorded') {
          const write = (entry: Redacted<typeof event.entry>) => tell({ kind: 'message', ...place, entry })
          const sink = sinks.get(key) ?? redactingSink({ write, fault: () => undefined }, redactor)
          sinks.set(key, sink)
          sink.write(event.entry)
        }
      },
      onTrial({ file, arm, trial }) {
        if (arm === 'sensitivity') return
        sinks.get(JSON.stringify([file, arm, trial.trial]))?.flush()
        // The same path as in the results of several targets.
        const result = trial.trace === '' ? trial : withTrace(trial, posix.join(under, trial.trace))
        tell({ kind: 'finished', target, file, ...(arm === 'placebo' && { arm }), trial: trial.trial, result })
      },
    }
  }
}

async function conclude(
  results: Redacted<Results>,
  { options }: PreparedRun,
  home: string,
  capture: Capture,
  signal: AbortSignal,
): Promise<SuiteEnd> {
  const written = await writeOutputs(results, home, options.report, capture.io)
  if (written.length === 0) return { state: 'failed', message: capture.text() }
  return { state: signal.aborted ? 'stopped' : 'done', results: relative(join(capture.io.cwd, RESULTS_HOME), home) }
}
