/** What a result depends on beside the attack: who was attacked, with which files, and how far a run could go. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { splitCommand } from '@joust/arena'
import { fingerprint, isList, isRecord, readSource, type Value } from '@joust/source'
import { STDIN } from '../input/read.ts'
import type { RunOptions } from '../options/run.ts'
import type { Io } from '../terminal/io.ts'
import type { TargetPlan } from './target.ts'

/** Facts by name. What may be secret stands there as a fingerprint. */
export async function identityOf(
  options: RunOptions,
  { about, texts = new Map() }: Pick<TargetPlan, 'about' | 'texts'>,
  io: Io,
): Promise<Record<string, string>> {
  const { kind, name, details = {} } = about
  const files = new Map([...texts, ...(await filesOf(options, io))])
  const contents = [...files].map(([file, text]) => [`the contents of ${file}`, fingerprint(text)] as const)
  return { target: `${kind} ${name}`, ...details, ...told(options), ...Object.fromEntries(contents) }
}

/** The options that change what comes of a run. */
function told(options: RunOptions): Record<string, string> {
  const { prompt, exec, target, header, bind, inProcess, approve, allowHost, replay, judge, script, config } = options
  const marks = { '--prompt': prompt, '--exec': exec, '--target': target && JSON.stringify(target) }
  const plain = {
    '--header': Object.keys(header).sort().join(', '),
    '--bind': inWords(bind),
    '--in-process': inProcess ? 'given' : '',
    '--approve': approve,
    '--allow-host': [...allowHost].sort().join(', '),
    '--max-duration': inSeconds(options.maxDuration),
    '--observe': inSeconds(options.observe),
    '--grace': inSeconds(options.grace),
    '--replay': replay,
    '--judge': judge,
    '--script': script,
    '--config': config,
  }
  const entries = [
    ...Object.entries(marks).map(([name, value]) => [name, value && fingerprint(value)]),
    ...Object.entries(plain),
  ]
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

function inWords(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([from, to]) => `${from}=${to}`)
    .sort()
    .join(' ')
}

function inSeconds(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : `${milliseconds / 1000}s`
}

/** The files that options name, and those that a configuration or a command line names in turn: bytes as Latin-1. */
export async function filesOf(options: RunOptions, io: Io): Promise<ReadonlyMap<string, string>> {
  const { agent, model, config, script, approve, exec, target = {} } = options
  const found = new Map<string, string>()
  const take = async (word: string, home: string) => {
    const path = resolve(home, word)
    const text = await textOf(path)
    if (text !== undefined) found.set(relative(io.cwd, path) || path, text)
    return text
  }
  const given = [script, approve].filter((word) => word !== undefined)
  const words = [exec, ...Object.values(target)].flatMap((command) => wordsOf(command ?? ''))
  for (const word of [...given, ...words]) await take(word, io.cwd)
  if (agent === undefined && model === undefined) return found
  const { CONFIG_FILE } = await import('@joust/runtime')
  const beside = agent === undefined || agent === STDIN ? io.cwd : dirname(resolve(io.cwd, agent))
  const path = config === undefined ? join(beside, CONFIG_FILE) : resolve(io.cwd, config)
  // A bare model takes only the configuration that it is given.
  const text = agent === undefined && config === undefined ? undefined : await take(path, io.cwd)
  for (const word of text === undefined ? [] : textsIn(text)) await take(word, dirname(path))
  return found
}

function wordsOf(command: string): readonly string[] {
  const argv = splitCommand(command)
  return argv.ok ? argv.value : []
}

/** Every text of a YAML document; some of them are names of modules and scripts. */
function textsIn(yaml: string): readonly string[] {
  const source = readSource(yaml)
  const texts: string[] = []
  const pending: Value[] = source.ok ? [source.value.value] : []
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') texts.push(next)
    else if (isList(next)) pending.push(...next)
    else if (isRecord(next)) pending.push(...Object.values(next))
  }
  return texts
}

/** What is larger is a program, not something that is written between two runs. */
const MOST_BYTES = 4 * 1024 * 1024

async function textOf(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path)
    return size > MOST_BYTES ? undefined : await readFile(path, 'latin1')
  } catch {
    // Not a file, so it is just a word.
    return undefined
  }
}
