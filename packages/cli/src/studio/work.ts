/** What the studio asks of the command: a `joust run`, reported as it happens. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  describeAttack,
  RESULTS_HOME,
  type Redacted,
  type RedactingSink,
  type Redactor,
  type Results,
  redactingSink,
} from '@joust/arena'
import { beginning, err, ok, type Result } from '@joust/source'
import type { CampaignWork, ProjectInfo, RunRequest, StudioWork, SuiteEnd, SuiteEvent } from '@joust/studio'
import { discoverAttacks, folderNotes, type InputFile } from '../input/discover.ts'
import type { GivenOptions } from '../options/read.ts'
import type { ProveOptions } from '../options/results.ts'
import { runOptions } from '../options/run.ts'
import { readProject } from '../project/read.ts'
import { projectShape } from '../project/shape.ts'
import { freshFolder, openFolders, type ResultFolders } from '../run/folders.ts'
import { type PreparedRun, type PreparedTarget, prepareGiven } from '../run/prepare.ts'
import type { SuiteWatch } from '../run/suite.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

/** Commands that the studio has buttons for. */
interface Commands {
  readonly attackEach: (
    prepared: PreparedRun,
    folders: ResultFolders,
    signal: AbortSignal,
    io: Io,
    watchOf: (target: PreparedTarget) => SuiteWatch,
  ) => Promise<Redacted<Results>>
  readonly prove: (paths: readonly string[], options: ProveOptions, io: Io) => Promise<number>
  readonly init: (io: Io, wrote: (name: string) => void) => Promise<number>
}

type Tell = (event: SuiteEvent) => void

/** The work of the studio in the folder `io.cwd`. */
export function studioWork(io: Io, { attackEach, prove, init }: Commands, campaigns?: CampaignWork): StudioWork {
  return {
    ...(campaigns && { campaigns }),
    project: async () => ({ ...(await projectInfo(io)), ...(campaigns && { queue: campaigns.place }) }),
    async run(request, tell, signal) {
      const heard = listenTo(io, signal)
      const prepared = await prepare(request, heard.io)
      if (prepared === undefined) return { state: 'failed', message: heard.text() }
      const opened = await openFolders(prepared, heard.io)
      if (!opened.ok) return { state: 'failed', message: opened.error }
      plan(prepared, tell)
      const watches = createWatches(prepared.redactor, tell)
      const results = await attackEach(prepared, opened.value, signal, heard.io, watches)
      return conclude(results, prepared, opened.value.home, heard, signal)
    },
    async prove(path, signal) {
      const heard = listenTo(io, signal)
      const code = await prove([path], { json: false, strict: false, quiet: false }, heard.io)
      return { proven: code === exitCodes.ok, text: heard.text() }
    },
    async init() {
      const heard = listenTo(io, new AbortController().signal)
      const wrote: string[] = []
      await init(heard.io, (name) => wrote.push(name))
      return { text: heard.text(), wrote }
    },
  }
}

interface Heard {
  readonly io: Io
  text(): string
}

/** A world like another one, but with its output kept, nobody to ask, and work that ends with a signal. */
function listenTo({ ask: _, ...io }: Io, signal: AbortSignal): Heard {
  let text = ''
  const write = (more: string) => {
    text = (text + more).slice(-commandLimits.studioCharacters)
  }
  const stream = { isTTY: false, write, writeData: write }
  return {
    io: { ...io, stdout: stream, stderr: stream, stoppable: (work) => work(signal) },
    text: () => text.trim(),
  }
}

async function projectInfo(io: Io): Promise<ProjectInfo> {
  const heard = listenTo(io, new AbortController().signal)
  const none = { attacks: [], targets: [], trials: 1, shape: projectShape }
  const project = await readProject(undefined, true, heard.io)
  if (!project.ok) return { ...none, problem: heard.text() }
  if (project.value === undefined) return none
  const { path, attacks = [], targets, given } = project.value
  const files = await discoverAttacks(attacks, io.cwd)
  const listed = files.ok ? files.value.filter(({ folder }) => folder === undefined) : []
  const leftOut = files.ok ? files.value.flatMap(folderNote) : files.error
  return {
    path: relative(io.cwd, path),
    attacks: listed.map((file) => ({ file: file.name, name: nameIn(file.path) ?? file.name })),
    targets: targets.map(({ name, kind }) => ({ name, kind })),
    trials: Number(given.trials?.[0] ?? runOptions.trials.default),
    shape: projectShape,
    ...(leftOut.length > 0 && { problem: leftOut.join('\n') }),
  }
}

function folderNote({ name, folder }: InputFile): string[] {
  return folder === undefined ? [] : [`${name}: ${folderNotes[folder]}`]
}

/** The name of an attack for a list: parsing a thousand documents properly would take seconds. */
function nameIn(path: string): string | undefined {
  try {
    const found = /^ {1,8}name: *(?:"([^"\n]+)"|'([^'\n]+)'|([^\n]+))$/m.exec(readFileSync(path, 'utf8'))
    const name = found?.[1] ?? found?.[2] ?? found?.[3]
    return name === undefined ? undefined : beginning(name.trim(), 200)
  } catch {
    return undefined
  }
}

/** Prepares a run as a campaign; the error is what the command would print. */
export async function prepareCampaign(
  request: RunRequest,
  queue: string,
  io: Io,
): Promise<Result<{ readonly prepared: PreparedRun; readonly io: Io }, string>> {
  const heard = listenTo(io, new AbortController().signal)
  const prepared = await prepare(request, heard.io, { queue: [queue], dryRun: [] })
  return prepared === undefined ? err(heard.text()) : ok({ prepared, io: heard.io })
}

async function prepare(
  { attacks = [], targets, trials }: RunRequest,
  io: Io,
  // Below the folder of results, wherever the project file puts them, so that the studio finds them again.
  more: GivenOptions = { out: [freshFolder(io.cwd)] },
): Promise<PreparedRun | undefined> {
  const given = {
    quiet: [],
    ...more,
    ...(targets !== undefined && { on: targets }),
    ...(trials !== undefined && { trials: [String(trials)] }),
  }
  const prepared = await prepareGiven(attacks, given, io)
  return prepared.ok ? prepared.value : undefined
}

function plan({ targets, selection }: PreparedRun, tell: Tell): void {
  tell({
    kind: 'planned',
    targets: targets.map(({ target }) => target.about.name),
    trials: targets[0]?.plan.trials ?? 1,
    attacks: selection.attacks.map(({ file, attack }) => ({ file, name: describeAttack(attack).name })),
  })
  for (const { file, faults } of selection.broken) {
    const said = faults.map(({ line, message }) => (line === undefined ? message : `line ${line}: ${message}`))
    tell({ kind: 'log', text: `${file} cannot be run: ${said.join('; ')}` })
  }
}

/** Reports each target's runs; messages are redacted like those of the trace file. */
function createWatches(redactor: Redactor, tell: Tell): (target: PreparedTarget) => SuiteWatch {
  return ({ target: { about } }) => {
    const target = about.name
    const sinks = new Map<string, RedactingSink>()
    return {
      onControl: (control) => tell({ kind: 'control', target, control }),
      onEvent({ file, trial }, event) {
        const place = { target, file, trial }
        const key = JSON.stringify([file, trial])
        if (event.kind === 'run-started') tell({ kind: 'started', ...place })
        else if (event.kind === 'phase-entered')
          tell({ kind: 'phase', ...place, actor: event.actor, phase: event.phase })
        else if (event.kind === 'message-recorded') {
          const write = (entry: Redacted<typeof event.entry>) => tell({ kind: 'message', ...place, entry })
          const sink = sinks.get(key) ?? redactingSink({ write, fault: () => undefined }, redactor)
          sinks.set(key, sink)
          sink.write(event.entry)
        }
      },
      onTrial({ file, trial }) {
        sinks.get(JSON.stringify([file, trial.trial]))?.flush()
        tell({ kind: 'finished', target, file, trial: trial.trial, result: trial })
      },
    }
  }
}

async function conclude(
  results: Redacted<Results>,
  { options }: PreparedRun,
  home: string,
  heard: Heard,
  signal: AbortSignal,
): Promise<SuiteEnd> {
  const written = await writeOutputs(results, home, options.report, heard.io)
  if (written.length === 0) return { state: 'failed', message: heard.text() }
  return { state: signal.aborted ? 'stopped' : 'done', results: relative(join(heard.io.cwd, RESULTS_HOME), home) }
}
