/** The identity of a target: everything that a result depends on apart from the attack. */
import { relative, resolve } from 'node:path'
import { readBounded } from '@joust/io'
import { fingerprint, isList, isRecord, own, type Value, writeJson } from '@joust/source'
import { splitCommand } from '@joust/targets'
import { optionName, type TargetedRow } from '../options/option.ts'
import { type RunOptions, runOptions } from '../options/run.ts'
import { duration } from '../options/values.ts'
import type { ChosenTarget } from '../project/choose.ts'
import type { Io } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'
import type { TargetPlan } from './target-plan.ts'

/** Returns the properties of a target by name; possible secrets are replaced with fingerprints. */
export async function targetIdentity(
  target: ChosenTarget,
  { about, texts = new Map() }: Pick<TargetPlan, 'about' | 'texts'>,
  io: Io,
): Promise<Record<string, string>> {
  const { kind, name, details = {} } = about
  const { options, http, module, env, serve } = target
  const bindings = bindingsOf(target)
  const bound = bindings && ([`${target.project?.name}, bindings`, writeJson(bindings)] as const)
  const files = new Map([...texts, ...(await filesOf(target, io)), ...(bound ? [bound] : [])])
  const contents = [...files].map(([file, text]) => [`the contents of ${file}`, fingerprint(text)] as const)
  const own = {
    ...(http !== undefined && { http: fingerprint(writeJson(http)) }),
    ...(module !== undefined && { export: module.export }),
    ...(serve !== undefined && { serve: fingerprint(JSON.stringify(serve)) }),
    ...(env !== undefined && { env: fingerprint(writeJson(env)) }),
  }
  return { target: `${kind} ${name}`, ...details, ...own, ...optionFacts(options), ...Object.fromEntries(contents) }
}

function optionFacts(options: RunOptions): Record<string, string> {
  const values: Readonly<Record<string, unknown>> = options
  const facts = Object.entries<TargetedRow>(runOptions).map(([key, row]) => {
    const value = values[key]
    return [optionName(key), factOf(row, row.value === duration ? inSeconds(value) : value, options)] as const
  })
  return Object.fromEntries(facts.filter(([, fact]) => fact !== ''))
}

function factOf({ identity }: TargetedRow, value: unknown, { listen }: RunOptions): string {
  if (identity === 'none' || inWords(value) === '') return ''
  if (identity === 'given') return 'given'
  if (identity === 'fingerprint') return fingerprint(inWords(value))
  if (identity === 'names') return inWords(Object.keys(Object(value)))
  // Without listeners, a timeout only makes runs inconclusive, and those are repeated.
  if (identity === 'listeners' && Object.keys(listen).length === 0) return ''
  return inWords(value)
}

function inWords(value: unknown): string {
  if (value === undefined || value === false) return ''
  if (value === true) return 'given'
  if (Array.isArray(value)) return value.map(String).sort().join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  const pairs = Object.entries(value).map(([from, to]) => `${from}=${to}`)
  return pairs.sort().join(' ')
}

function inSeconds(milliseconds: unknown): string | undefined {
  return typeof milliseconds === 'number' ? `${milliseconds / 1000}s` : undefined
}

/** Returns the bindings in the project file, which only agents use. The rest of the file is in the options. */
export function bindingsOf({ options, project }: ChosenTarget): Value | undefined {
  if (project === undefined || (options.agent === undefined && options.model === undefined)) return undefined
  const { value } = project.source
  return own(value, 'bindings') ?? {}
}

/** Returns the content of files that options, bindings and command lines refer to, decoded as Latin-1. */
export async function filesOf(runTarget: ChosenTarget, io: Io): Promise<ReadonlyMap<string, string>> {
  const { options, project, home, module, serve } = runTarget
  const { script, approve, through, answers, exec, acp, target = {} } = options
  const contents = new Map<string, string>()
  const take = async (word: string, from: string) => {
    const path = resolve(from, word)
    const text = textOf(path)
    if (text !== undefined) contents.set(relative(io.cwd, path) || path, text)
    return text
  }
  const named = [script, approve, through, answers, module?.path].filter((word) => word !== undefined)
  const words = [exec, acp, ...Object.values(target)].flatMap((command) => wordsOf(command ?? ''))
  for (const word of named) await take(word, io.cwd)
  for (const word of words) await take(word, home)
  for (const { command, cwd } of serve?.processes ?? []) for (const word of command) await take(word, cwd)
  const bindings = bindingsOf(runTarget)
  if (project === undefined || bindings === undefined) return contents
  for (const word of textsIn(bindings)) await take(word, project.home)
  return contents
}

function wordsOf(command: string): readonly string[] {
  const argv = splitCommand(command)
  return argv.ok ? argv.value : []
}

/** Returns all strings in the bindings; some are names of modules and scripts. */
function textsIn(bindings: Value): readonly string[] {
  const texts: string[] = []
  const pending: Value[] = [bindings]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') texts.push(next)
    else if (isList(next)) pending.push(...next)
    else if (isRecord(next)) pending.push(...Object.values(next))
  }
  return texts
}

function textOf(path: string): string | undefined {
  try {
    return Buffer.from(readBounded(path, commandLimits.identityBytes)).toString('latin1')
  } catch {
    // Not a file, or too large.
    return undefined
  }
}
