/** Who is attacked: what the command line names, or the chosen targets of the project file. */
import { resolve } from 'node:path'
import { err, fillVariables, mapScalars, ok, own, type Result, type Value } from '@joust/source'
import type { TargetedRow } from '../options/option.ts'
import { defaultsOf, type GivenOptions, hasEffect, readOptions } from '../options/read.ts'
import { type RunOptions, runOptions } from '../options/run.ts'
import { endpointKeys, type TargetKind, targetKeys, targetKind, targetOptionKeys } from '../options/targets.ts'
import { unknownWord } from '../options/unknown-word.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'
import { givenIn, missingVariables, type Project, type ProjectTarget, tellFaults } from './read.ts'
import { fileOptions, isOfTarget } from './shape.ts'

/** A target of a run. */
export interface RunTarget {
  /** What the user calls it. */
  readonly name?: string
  readonly kind: TargetKind
  readonly options: RunOptions
  /** The folder that its commands run in. */
  readonly home: string
  /** The project file in force. */
  readonly project: Project | undefined
  /** What `http` says, with its variables filled in. */
  readonly http?: Value
  /** Variables of a command, with their values. */
  readonly env?: Readonly<Record<string, string>>
  /** The code of a function. */
  readonly module?: { readonly path: string; readonly export: string }
  /** What came from the environment. */
  readonly secrets: readonly string[]
  /** What it was read from, with its variables. */
  readonly draft: TargetDraft
}

/** At least one. */
export type RunTargets = readonly [RunTarget, ...RunTarget[]]

/** The targets, each with all of its options, or the exit code after saying what is wrong. */
export async function chooseTargets(
  project: Project | undefined,
  given: GivenOptions,
  io: Io,
): Promise<Result<RunTargets, number>> {
  const known = project?.targets ?? []
  if (given.on === undefined && (known.length === 0 || targetOptionKeys.some((key) => given[key] !== undefined))) {
    const { on: _, ...top } = project?.given ?? {}
    const merged = merge(top, given, targetKind(given))
    const read = await readTarget({ given: merged, project, home: io.cwd }, io)
    return read.ok ? ok([read.value]) : err(wrongUsage(read.error, io))
  }
  if (project === undefined || known.length === 0)
    return err(wrongUsage(['--on picks targets of a project file, and there is none; joust init writes one'], io))
  const wanted = pick(known, given.on ?? project.given.on)
  if (!wanted.ok) return err(wrongUsage([wanted.error], io))
  const unset = wanted.value.flatMap(({ name, value }) =>
    missingVariables(project.source, value, ['targets', name], io),
  )
  if (unset.length > 0) return err(tellFaults({ ...project, text: project.source.text }, unset, io))
  return targetsOf(wanted.value, project, given, io)
}

/** A target that a program names: options that are already read, without a project file. */
export function plainTarget(options: Partial<RunOptions>, home: string): RunTarget {
  const draft = { given: {}, home, project: undefined }
  const all = { ...defaultsOf(runOptions), ...options }
  return { ...draft, kind: targetKind(options), options: all, secrets: [], draft }
}

/** Whether a target is nobody at all, not even whoever connects. */
export function isNobody({ kind, options }: RunTarget): boolean {
  return kind === 'none' && Object.keys(options.listen).length === 0
}

/** The ways to say who is attacked. */
export const WHO = [
  'what should be attacked? Give one of these, or write targets into joust.yaml (joust init does it):',
  '  --model sim/credulous                    a plain agent on a model; sim/… need no key',
  '  --agent clerk.agf.yaml                   an agent file',
  '  --exec codex                             an agent by name (joust presets list), or any command',
  '  --target ag_ui=http://127.0.0.1:8000/    an agent that is served: ag_ui=, a2a= or mcp=',
  '  --wire CLIENT=SERVER                     actors of the document attack each other',
  '  --listen ACTOR=127.0.0.1:7000            whoever connects',
]

function pick(known: readonly ProjectTarget[], on: readonly string[] | undefined): Result<ProjectTarget[], string> {
  if (on === undefined || on.length === 0) return ok([...known])
  const names = known.map(({ name }) => name)
  const unknown = on.find((name) => !names.includes(name))
  if (unknown === undefined) return ok(known.filter(({ name }) => on.includes(name)))
  return err(unknownWord(`--on ${unknown}: the targets of the project file are ${names.join(', ')}`, unknown, names))
}

async function targetsOf(
  wanted: readonly ProjectTarget[],
  project: Project,
  given: GivenOptions,
  io: Io,
): Promise<Result<RunTargets, number>> {
  const targets: RunTarget[] = []
  const faults: string[] = []
  for (const { name, kind, value } of wanted) {
    const { on: _, ...top } = project.given
    const own = { ...top, ...givenIn(value, ofTargets, project.home, io), ...ownWords(value) }
    const others = wanted.filter((one) => one.name !== name).map((one) => one.kind)
    const read = await readTarget(
      { given: merge(own, forThis(given, kind, others), kind), project, home: project.home, name, value },
      io,
    )
    if (read.ok) targets.push(read.value)
    else faults.push(...read.error.map((fault) => `target ${name}: ${fault}`))
  }
  const [first, ...rest] = targets
  if (faults.length > 0 || first === undefined) return err(wrongUsage(faults, io))
  return ok([first, ...rest])
}

const ofTargets = fileOptions.filter(isOfTarget)

/** What no option covers: endpoints under the names of their protocols, and the kinds that only a file can name. */
function ownWords(value: Readonly<Record<string, Value>>): GivenOptions {
  const places = endpointKeys.flatMap((key) => (own(value, key) === undefined ? [] : [`${key}=${own(value, key)}`]))
  return {
    ...(places.length > 0 && { target: places }),
    ...(own(value, 'http') !== undefined && { [targetKeys.http]: [] }),
    ...(own(value, 'module') !== undefined && { [targetKeys.function]: [] }),
  }
}

/** The options of the command line for a target: one without effect on it is left to the targets where it has one. */
function forThis(given: GivenOptions, kind: TargetKind, others: readonly TargetKind[]): GivenOptions {
  const { on: _, ...rest } = given
  const entries = Object.entries(rest).filter(([key]) => {
    const row = rowOf(key)
    return hasEffect(row, kind, given) || !others.some((other) => hasEffect(row, other, given))
  })
  return Object.fromEntries(entries)
}

/** The command line over the file. What the file says for all targets is left out where it has no effect. */
function merge(file: GivenOptions, line: GivenOptions, kind: TargetKind): GivenOptions {
  const both = { ...file, ...line }
  const kept = Object.entries(file).filter(([key]) => {
    if (!Object.hasOwn(runOptions, key)) return true
    const against = Object.keys(line).some((other) => excludes(key, other) || excludes(other, key))
    return !against && hasEffect(rowOf(key), kind, both)
  })
  return { ...Object.fromEntries(kept), ...line }
}

function excludes(key: string, other: string): boolean {
  return rowOf(key).conflicts?.includes(other) === true
}

function rowOf(key: string): TargetedRow {
  // Commander and the shape of the file let nothing else through.
  return (runOptions as Readonly<Record<string, TargetedRow>>)[key] as TargetedRow
}

/** A target before its options are read. */
interface TargetDraft {
  readonly name?: string
  readonly given: GivenOptions
  readonly home: string
  readonly project: Project | undefined
  /** As the project file has it. */
  readonly value?: Readonly<Record<string, Value>>
}

/** Reads the options of a target and fills in its variables. */
export async function readTarget(whole: TargetDraft, io: Io): Promise<Result<RunTarget, string[]>> {
  const { given, value = {}, ...draft } = whole
  const secrets: string[] = []
  // A dry run shows what it would use, so it gets no secrets that it could show.
  const fill = given.dryRun === undefined ? filler(io, secrets) : (text: string) => text
  const words = Object.entries(given).map(([key, texts = []]) => [key, isFilledLater(key) ? texts : texts.map(fill)])
  const options = await readOptions(runOptions, draft.project === undefined ? given : Object.fromEntries(words))
  if (!options.ok) return options
  const http = own(value, 'http')
  const module = own(value, 'module')
  const name = own(value, 'export')
  const env = own(value, 'env')
  return ok({
    ...draft,
    kind: targetKind(given),
    options: options.value,
    secrets,
    draft: whole,
    ...(http !== undefined && { http: mapTexts(http, fill) }),
    // A mapping of texts, as the shape of the file says.
    ...(env !== undefined && { env: mapTexts(env, fill) as Readonly<Record<string, string>> }),
    ...(typeof module === 'string' && {
      module: { path: resolve(draft.home, module), export: typeof name === 'string' ? name : 'default' },
    }),
  })
}

/** Headers and tokens are filled in where they are used, whoever gave them; what was filled in is not a template. */
function isFilledLater(key: string): boolean {
  return ['header', 'token', 'listenToken'].includes(key)
}

function filler(io: Io, secrets: string[]): (text: string) => string {
  return (text) => {
    const filled = fillVariables(text, io.env)
    // What is missing has been reported; what the command line gave is not a template.
    if (!filled.ok) return text
    secrets.push(...filled.value.secrets)
    return filled.value.text
  }
}

function mapTexts(value: Value, change: (text: string) => string): Value {
  return mapScalars(value, (scalar) => (typeof scalar === 'string' ? change(scalar) : scalar))
}
