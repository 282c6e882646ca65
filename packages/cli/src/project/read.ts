/** Reads and checks `joust.yaml`; findings are printed with their positions. */
import { dirname, relative, resolve } from 'node:path'
import {
  checkShape,
  type Diagnostic,
  err,
  fillVariables,
  formatPath,
  isList,
  isRecord,
  ok,
  own,
  type Path,
  type Result,
  readSource,
  type Source,
  shapeDiagnostic,
  sortByPosition,
  toDoubles,
  type Value,
  type ValueRecord,
  valueAt,
} from '@joust/source'
import { type Preset, readPreset } from '@joust/targets'
import { inputFile, isSuite, orLibrary } from '../input/discover.ts'
import { readText } from '../input/read.ts'
import type { GivenOptions } from '../options/read.ts'
import type { TargetKind } from '../options/targets.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { findProject } from './find.ts'
import { kindFaults, kindOf } from './kinds.ts'
import { serveFaults } from './serve.ts'
import { type FileOption, fileOptions, isOfTarget, projectShape } from './shape.ts'

export interface Project {
  /** Absolute path. */
  readonly path: string
  /** File name for output. */
  readonly name: string
  /** Folder of the file. Paths in the file are relative to this folder. */
  readonly home: string
  readonly source: Source
  /** Attack files, folders and globs, as on the command line; undefined if the project file specifies none. */
  readonly attacks: readonly string[] | undefined
  /** Top-level options, as on the command line. */
  readonly given: GivenOptions
  readonly targets: readonly ProjectTarget[]
  /** The user's presets, by name. */
  readonly presets: ReadonlyMap<string, Preset>
}

export interface ProjectTarget {
  readonly name: string
  readonly kind: TargetKind
  readonly value: ValueRecord
}

/** Reads the project file, if any; returns the exit code after printing errors. */
export async function readProject(
  named: string | undefined,
  quiet: boolean,
  io: Io,
): Promise<Result<Project | undefined, number>> {
  const opened = await openProject(named, quiet, io, allFaults)
  if (!opened.ok) return opened
  if (opened.value === undefined) return ok(undefined)
  const { path, name, source } = opened.value
  const home = dirname(path)
  const record = isRecord(source.value) ? source.value : {}
  const attacks = own(record, 'attacks')
  return ok({
    path,
    name,
    home,
    source,
    attacks:
      attacks === undefined
        ? undefined
        : textsOf(attacks).map((word) => (isSuite(word, home) ? word : fromHere(orLibrary(word, home), home, io))),
    given: givenIn(record, topOptions, home, io),
    targets: targetsIn(record),
    presets: presetsIn(record),
  })
}

/** Opens the project file, if any; returns the exit code after printing errors. */
export async function openProject(
  named: string | undefined,
  quiet: boolean,
  io: Io,
  check: (source: Source, io: Io) => Promise<readonly Diagnostic[]> = projectFaults,
): Promise<Result<Pick<Project, 'path' | 'name' | 'source'> | undefined, number>> {
  const location = await findProject(named, io)
  if (!location.ok) return err(wrongUsage([location.error], io))
  if (location.value === undefined) return ok(undefined)
  const { path, owner } = location.value
  const { name } = inputFile(path, io.cwd, true)
  const text = await readText(path, io)
  if (!text.ok) return err(wrongUsage([`${name}: ${text.error.message}`], io))
  // The file may specify modules and commands to run, so its use is announced.
  if (owner !== undefined) tell(io, `using ${name}, which belongs to user ${owner}`)
  else if (named === undefined && !quiet) tell(io, `using ${name}`)
  const source = readSource(text.value)
  const faults = source.ok ? await check(source.value, io) : source.error
  if (!source.ok || faults.length > 0) return err(tellFaults({ path, name, text: text.value }, faults, io))
  return ok({ path, name, source: source.value })
}

/** Prints findings with their positions, and returns the exit code for wrong usage. */
export function tellFaults(
  { path, name, text }: { readonly path: string; readonly name: string; readonly text: string },
  diagnostics: readonly Diagnostic[],
  io: Io,
): number {
  printFindings([{ name, path, format: 'unknown', text, diagnostics }], io)
  return giveUp(`${name}: the project file has errors`, io, exitCodes.usage)
}

function projectFault(source: Source, path: Path, message: string, at: 'key' | 'value' = 'value'): Diagnostic {
  const location = at === 'key' ? source.locateKey(path) : source.locate(path)
  return { severity: 'error', code: 'project', message, path: formatPath(path), ...location }
}

const topOptions = fileOptions.filter((row) => !isOfTarget(row))
const targetOptions = fileOptions.filter(isOfTarget)

async function allFaults(source: Source, io: Io): Promise<Diagnostic[]> {
  const faults = await projectFaults(source, io)
  return faults.length > 0 ? faults : variableFaults(source, isRecord(source.value) ? source.value : {}, io)
}

/** Returns errors that do not depend on the environment: in the shape or, if the shape is valid, in option values. */
export async function projectFaults(source: Source, io: Io): Promise<Diagnostic[]> {
  const value = toDoubles(source.value)
  const unclear = targetsIn(isRecord(value) ? value : {}).flatMap(({ name, value: target }) =>
    kindFaults(source, ['targets', name], target, projectFault),
  )
  if (unclear.length > 0) return sortByPosition(unclear)
  const faults = checkShape(value, projectShape, 100).map((fault) => {
    const elsewhere = fault.at === 'key' ? placeHint(fault.path) : undefined
    if (elsewhere !== undefined) return projectFault(source, fault.path, elsewhere, 'key')
    return shapeDiagnostic(source, fault, 'project')
  })
  if (faults.length > 0) return sortByPosition(faults)
  // The shape has just been checked.
  const record = value as ValueRecord
  const more = await optionFaults(source, record, [], topOptions, io)
  for (const { name, value: target } of targetsIn(record))
    more.push(
      ...(await optionFaults(source, target, ['targets', name], targetOptions, io)),
      ...(await serveFaults(source, ['targets', name], target, projectFault)),
    )
  return sortByPosition(more)
}

function placeHint(path: Path): string | undefined {
  const key = path.at(-1)
  const has = (options: readonly FileOption[]) => options.some(({ path: [first] }) => first === key)
  if (path.length === 1 && has(targetOptions)) return `${JSON.stringify(key)} belongs to a target, below "targets"`
  if (path.length === 3 && path[0] === 'targets' && has(topOptions))
    return `${JSON.stringify(key)} applies to all targets, so it belongs at the top of the file`
  return undefined
}

async function optionFaults(
  source: Source,
  record: ValueRecord,
  base: Path,
  options: readonly FileOption[],
  io: Io,
): Promise<Diagnostic[]> {
  const findings = emptyGroups(source, record, base, options)
  for (const { option, row, path } of options) {
    const words = givenIn(record, [{ option, row, path }], io.cwd, io)[option]
    const read = words === undefined ? ok(undefined) : await row.value.read(words, path.join('.'))
    if (!read.ok) findings.push(projectFault(source, [...base, ...path], read.error))
  }
  return findings
}

/** Reports groups without any option, such as `model_proxy: {}`. */
function emptyGroups(source: Source, record: ValueRecord, base: Path, options: readonly FileOption[]): Diagnostic[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const keys = options.flatMap(({ path: [first, ...below] }) => (first === key ? below : []))
    if (keys.length === 0 || !isRecord(value) || Object.keys(value).length > 0) return []
    return projectFault(source, [...base, key], `${key} has no effect without ${keys.join(' or ')}`)
  })
}

/** Reports unset variables in the top-level options. Variables in a target only matter if the target is selected. */
function variableFaults(source: Source, record: ValueRecord, io: Io): Diagnostic[] {
  const { targets: _, bindings: __, presets: ___, ...top } = record
  return missingVariables(source, top, [], io)
}

export function missingVariables(source: Source, value: Value, path: Path, io: Io): Diagnostic[] {
  if (typeof value === 'string') {
    const filled = fillVariables(value, io.env)
    return filled.ok ? [] : filled.error.map(({ message }) => projectFault(source, path, message))
  }
  const parts = isList(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : []
  return parts.flatMap(([key, part]) => missingVariables(source, part, [...path, key], io))
}

function targetsIn(record: ValueRecord): ProjectTarget[] {
  const targets = own(record, 'targets')
  const entries = isRecord(targets) ? Object.entries(targets) : []
  return entries.flatMap(([name, value]) => (isRecord(value) ? [{ name, kind: kindOf(value), value }] : []))
}

function presetsIn(record: ValueRecord): ReadonlyMap<string, Preset> {
  const presets = own(record, 'presets')
  const read = Object.entries(isRecord(presets) ? presets : {}).map(([name, value]) => readPreset(name, value))
  // Checked with the shape of the file.
  return new Map(read.flatMap((preset) => (preset.ok ? [[preset.value.name, preset.value]] : [])))
}

/** Returns the options in a record, as on the command line; paths become relative to the working folder. */
export function givenIn(record: ValueRecord, options: readonly FileOption[], home: string, io: Io): GivenOptions {
  const values: Record<string, readonly string[]> = {}
  for (const { option, row, path } of options) {
    const value = valueAt(record, path)
    if (value === undefined || value === false) continue
    const { isPath = () => false, join } = row.value
    const words = isList(value) && join !== undefined ? [join(textsOf(value))] : textsOf(value)
    values[option] = words.map((text) => (isPath(text) ? fromHere(text, home, io) : text))
  }
  return values
}

function textsOf(value: Value): string[] {
  if (value === true) return []
  if (isList(value)) return value.map(String)
  return isRecord(value) ? Object.entries(value).map(([key, item]) => `${key}=${String(item)}`) : [String(value)]
}

function fromHere(path: string, home: string, io: Io): string {
  return relative(io.cwd, resolve(home, path)) || '.'
}
