/** Selects the targets from the command line or from the project file. */
import { resolve } from 'node:path'
import { err, fillVariables, mapScalars, ok, own, type Result, type Value } from '@joust/source'
import { quoteIn } from '@joust/targets'
import type { TargetedRow } from '../options/option.ts'
import { defaultsOf, type GivenOptions, hasEffect, readOptions } from '../options/read.ts'
import { type RunOptions, runOptions } from '../options/run.ts'
import { endpointKeys, type TargetKind, targetKeys, targetKind, targetOptionKeys } from '../options/targets.ts'
import { unknownWord } from '../options/unknown-word.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'
import { givenIn, missingVariables, type Project, type ProjectTarget, tellFaults } from './read.ts'
import { type Fill, readServe, type Serve } from './serve.ts'
import { fileOptions, isOfTarget } from './shape.ts'

export interface ChosenTarget {
  /** Name in the project file. */
  readonly name?: string
  readonly kind: TargetKind
  readonly options: RunOptions
  /** Working folder of the target's commands. */
  readonly home: string
  readonly project: Project | undefined
  /** The value of `http`, with expanded variables. */
  readonly http?: Value
  /** The processes of `serve`, with expanded variables. */
  readonly serve?: Serve
  readonly env?: Readonly<Record<string, string>>
  readonly module?: { readonly path: string; readonly export: string }
  /** Values taken from the environment. */
  readonly secrets: readonly string[]
  /** The target's setup with unexpanded variables. */
  readonly draft: TargetDraft
}

export type ChosenTargets = readonly [ChosenTarget, ...ChosenTarget[]]

/** Returns the selected targets with their options, or an exit code after printing errors. */
export async function chooseTargets(
  project: Project | undefined,
  given: GivenOptions,
  io: Io,
): Promise<Result<ChosenTargets, number>> {
  const available = project?.targets ?? []
  if (given.on === undefined && (available.length === 0 || targetOptionKeys.some((key) => given[key] !== undefined))) {
    const { on: _, ...top } = project?.given ?? {}
    const merged = merge(top, given, targetKind(given))
    const read = await readTarget({ given: merged, project, home: io.cwd }, io)
    return read.ok ? ok([read.value]) : err(wrongUsage(read.error, io))
  }
  if (project === undefined || available.length === 0)
    return err(wrongUsage(['--on needs a project file with targets; create one with joust init'], io))
  const selected = pick(available, given.on ?? project.given.on)
  if (!selected.ok) return err(wrongUsage([selected.error], io))
  const unset = selected.value.flatMap(({ name, value }) =>
    missingVariables(project.source, value, ['targets', name], io),
  )
  if (unset.length > 0) return err(tellFaults({ ...project, text: project.source.text }, unset, io))
  return targetsOf(selected.value, project, given, io)
}

/** Creates a target from options, without a project file. */
export function plainTarget(options: Partial<RunOptions>, home: string): ChosenTarget {
  const draft = { given: {}, home, project: undefined }
  const all = { ...defaultsOf(runOptions), ...options }
  return { ...draft, kind: targetKind(options), options: all, secrets: [], draft }
}

/** True if no target is selected and no actor listens for clients. */
export function isMissing({ kind, options }: ChosenTarget): boolean {
  return kind === 'none' && Object.keys(options.listen).length === 0
}

/** The error for a missing target, with all ways to specify one. */
export const MISSING_TARGET = [
  'missing target: use one of these options, or add targets to joust.yaml (joust init creates one):',
  '  --model sim/credulous                    a minimal agent on a model; sim/… needs no key',
  '  --agent clerk.agf.yaml                   an agent file',
  '  --exec codex                             a known agent by name (joust presets list), or any command',
  '  --target ag_ui=http://127.0.0.1:8000/    an agent at a URL: ag_ui=, a2a= or mcp=',
  '  http, module or serve in joust.yaml      an HTTP API, a function, or an agent that Joust starts',
  '  --wire CLIENT=SERVER                     self-play: actors of the document attack each other',
  '  --listen ACTOR=127.0.0.1:7000            any client that connects',
]

function pick(known: readonly ProjectTarget[], on: readonly string[] | undefined): Result<ProjectTarget[], string> {
  if (on === undefined || on.length === 0) return ok([...known])
  const names = known.map(({ name }) => name)
  const unknown = on.find((name) => !names.includes(name))
  if (unknown === undefined) return ok(known.filter(({ name }) => on.includes(name)))
  return err(unknownWord(`--on: unknown target "${unknown}"; available: ${names.join(', ')}`, unknown, names))
}

async function targetsOf(
  wanted: readonly ProjectTarget[],
  project: Project,
  given: GivenOptions,
  io: Io,
): Promise<Result<ChosenTargets, number>> {
  const targets: ChosenTarget[] = []
  const faults: string[] = []
  for (const { name, kind, value } of wanted) {
    const { on: _, ...top } = project.given
    const own = { ...top, ...givenIn(value, ofTargets, project.home, io), ...ownWords(value) }
    const others = wanted.filter((one) => one.name !== name).map((one) => one.kind)
    const draft = { given: merge(own, forThis(given, kind, others), kind), project, home: project.home, name, value }
    const read = await readTarget(draft, io)
    if (read.ok) targets.push(read.value)
    else faults.push(...read.error.map((fault) => `target ${name}: ${fault}`))
  }
  const [first, ...rest] = targets
  if (faults.length > 0 || first === undefined) return err(wrongUsage(faults, io))
  return ok([first, ...rest])
}

const ofTargets = fileOptions.filter(isOfTarget)

/** Returns options for keys that have none: endpoints by protocol, and kinds of targets that only a file can select. */
function ownWords(value: Readonly<Record<string, Value>>): GivenOptions {
  const places = endpointKeys.flatMap((key) => (own(value, key) === undefined ? [] : [`${key}=${own(value, key)}`]))
  return {
    ...(places.length > 0 && { target: places }),
    ...(own(value, 'http') !== undefined && { [targetKeys.http]: [] }),
    ...(own(value, 'module') !== undefined && { [targetKeys.function]: [] }),
  }
}

/** Returns the command-line options for a target, except those that only have an effect on other targets. */
function forThis(given: GivenOptions, kind: TargetKind, others: readonly TargetKind[]): GivenOptions {
  const { on: _, ...rest } = given
  const entries = Object.entries(rest).filter(([key]) => {
    const row = rowOf(key)
    return hasEffect(row, kind, given) || !others.some((other) => hasEffect(row, other, given))
  })
  return Object.fromEntries(entries)
}

/** Merges options; the command line takes precedence. Options in the file that have no effect are dropped. */
function merge(file: GivenOptions, line: GivenOptions, kind: TargetKind): GivenOptions {
  const both = { ...file, ...line }
  const effective = Object.entries(file).filter(([key]) => {
    if (!Object.hasOwn(runOptions, key)) return true
    const against = Object.keys(line).some((other) => excludes(key, other) || excludes(other, key))
    return !against && hasEffect(rowOf(key), kind, both)
  })
  return { ...Object.fromEntries(effective), ...line }
}

function excludes(key: string, other: string): boolean {
  return rowOf(key).conflicts?.includes(other) === true
}

function rowOf(key: string): TargetedRow {
  // Commander and the shape of the file have checked the values.
  return (runOptions as Readonly<Record<string, TargetedRow>>)[key] as TargetedRow
}

interface TargetDraft extends Pick<ChosenTarget, 'name' | 'home' | 'project'> {
  readonly given: GivenOptions
  readonly value?: Readonly<Record<string, Value>>
}

export async function readTarget(whole: TargetDraft, io: Io): Promise<Result<ChosenTarget, string[]>> {
  const { given, value = {}, ...draft } = whole
  const secrets: string[] = []
  // A dry run prints its options, so it gets no secrets.
  const fill = given.dryRun === undefined ? filler(io, secrets) : (text: string) => text
  const words = Object.entries(given).map(([key, texts = []]) => {
    const isCommand = key === 'target' || (Object.hasOwn(runOptions, key) && rowOf(key).value.join !== undefined)
    return [key, filledLater.includes(key) ? texts : texts.map((text) => fill(text, isCommand ? quoteIn : undefined))]
  })
  const options = await readOptions(runOptions, draft.project === undefined ? given : Object.fromEntries(words))
  if (!options.ok) return options
  const http = own(value, 'http')
  const serve = own(value, 'serve')
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
    ...(serve !== undefined && { serve: await readServe(serve, draft.home, fill) }),
    // The shape of the file requires a mapping of strings.
    ...(env !== undefined && { env: mapTexts(env, fill) as Readonly<Record<string, string>> }),
    ...(typeof module === 'string' && {
      module: { path: resolve(draft.home, module), export: typeof name === 'string' ? name : 'default' },
    }),
  })
}

/** Options whose variables are expanded only once, where the options are used. */
const filledLater = ['header', 'token', 'listenToken']

function filler(io: Io, secrets: string[]): Fill {
  return (text, quote) => {
    const filled = fillVariables(text, io.env, quote)
    // Missing variables have been reported; command-line values are not templates.
    if (!filled.ok) return text
    secrets.push(...filled.value.secrets)
    return filled.value.text
  }
}

function mapTexts(value: Value, change: (text: string) => string): Value {
  return mapScalars(value, (scalar) => (typeof scalar === 'string' ? change(scalar) : scalar))
}
