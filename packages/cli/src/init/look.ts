/** Detects agents and attacks in a folder. Nothing is run, and no code is loaded. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defined, isRecord, own, readJson } from '@joust/source'
import { presets } from '@joust/targets'
import { discover } from '../input/discover.ts'
import { formatOf } from '../input/format-of.ts'
import { readText } from '../input/read.ts'
import { isOnPath } from '../terminal/find-program.ts'
import type { Io } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'
import {
  type AgentProgram,
  type AgentSource,
  findJavascript,
  findProgram,
  findPython,
  textOf,
  variablesIn,
} from './code.ts'
import type { AgentForm } from './frameworks/form.ts'
import { javascriptForms } from './frameworks/javascript.ts'
import { pythonForms } from './frameworks/python.ts'

/** Agents and attacks in a folder; paths are relative to the folder. */
export interface Found {
  readonly agents: readonly string[]
  readonly attacks: readonly string[]
  /** Names of presets whose program is on PATH. */
  readonly presets: readonly string[]
  /** The JavaScript frameworks, and the most likely agent. */
  readonly javascript: FoundCode
  readonly python: FoundCode
  readonly interpreter: string
  readonly faults: readonly string[]
}

export interface FoundCode {
  readonly frameworks: readonly string[]
  readonly code: AgentSource | undefined
  /** Other agents, for which no wrapper is written. */
  readonly others: readonly AgentSource[]
  /** A script to start, if no agent can be called. */
  readonly program?: AgentProgram
  /** Environment variables that modules in this language read. */
  readonly variables: readonly string[]
  /** The reason the agent cannot be called yet, and how to fix that. */
  readonly lack?: string
}

const javascriptPackages = [
  ...javascriptForms.flatMap(({ distributions }) => distributions),
  '@strands-agents/sdk',
  '@google/adk',
]
const pythonPackages = pythonForms.flatMap(({ distributions }) => distributions)

/** The Python command outside a virtual environment. */
export const GLOBAL_PYTHON = 'python3'
export const VENV = '.venv'
const environments = [`${VENV}/bin/python`, 'venv/bin/python'] as const

export async function lookAround(io: Io): Promise<Found> {
  return {
    ...(await documentsIn(io)),
    presets: await presetsOnPath(io),
    javascript: await javascriptIn(io),
    python: await pythonIn(io),
    interpreter: environmentIn(io) ?? GLOBAL_PYTHON,
    faults: faultsIn(io),
  }
}

async function documentsIn(io: Io): Promise<Pick<Found, 'agents' | 'attacks'>> {
  const files = await discover(['.'], io.cwd)
  const agents: string[] = []
  const attacks: string[] = []
  for (const { name, path, folder } of files.ok ? files.value.slice(0, commandLimits.initDocuments) : []) {
    const text = folder !== undefined ? undefined : await readText(path, io)
    const format = text?.ok === true ? formatOf(text.value) : 'unknown'
    if (format === 'agent-format') agents.push(name)
    else if (format === 'oatf') attacks.push(name)
  }
  return { agents, attacks }
}

async function presetsOnPath(io: Io): Promise<string[]> {
  const names: string[] = []
  for (const { name, command } of presets) if (await isOnPath(command[0] ?? name, io)) names.push(name)
  return names
}

function faultsIn({ cwd }: Io): string[] {
  const faults = { 'package.json': packageFault, 'pyproject.toml': tomlFault }
  return Object.entries(faults).flatMap(([name, faultOf]) => {
    const path = join(cwd, name)
    const fault = existsSync(path) ? faultOf(textOf(path)) : undefined
    return fault === undefined ? [] : [`${name} cannot be read, so its packages are unknown: ${fault}`]
  })
}

function packageFault(text: string): string | undefined {
  const read = readJson(text)
  if (read.ok) return isRecord(read.value) ? undefined : 'not an object'
  const [{ message = '', line = 1 } = {}] = read.error
  return `line ${line}: ${message}`
}

async function javascriptIn(io: Io): Promise<FoundCode> {
  const read = readJson(textOf(join(io.cwd, 'package.json')))
  const parts =
    read.ok && isRecord(read.value) ? [own(read.value, 'dependencies'), own(read.value, 'devDependencies')] : []
  const packages = parts.flatMap((part) => (isRecord(part) ? Object.keys(part) : []))
  const frameworks = javascriptPackages.filter((name) => packages.includes(name))
  const [code, ...others] = frameworks.length === 0 ? [] : await findJavascript(frameworks, javascriptForms, io)
  const program = code === undefined ? await findProgram('javascript', frameworks, io) : undefined
  const isTypescript = /ts$/.test(code?.file ?? program?.file ?? '')
  const lack = isTypescript && !(await runsTypescript(io)) ? `${NO_TYPESCRIPT} ${tsxCommand(packages)}` : undefined
  const variables = program === undefined ? [] : await variablesIn('javascript', io)
  return { frameworks, code, others, variables, ...defined({ program, lack }) }
}

const NO_TYPESCRIPT = 'is TypeScript, which this Node does not run:'

function tsxCommand(packages: readonly string[]): string {
  return packages.includes('tsx') ? 'npm install' : 'npm install --save-dev tsx'
}

/** True if this version of Node runs TypeScript. The types of the oldest supported version do not have the property. */
export function nodeRunsTypescript(): boolean {
  return typeof Reflect.get(process.features, 'typescript') === 'string'
}

async function runsTypescript(io: Io): Promise<boolean> {
  if (nodeRunsTypescript()) return true
  try {
    createRequire(join(io.cwd, 'package.json')).resolve('tsx')
    return true
  } catch {
    return false
  }
}

async function pythonIn(io: Io): Promise<FoundCode> {
  const files = ['pyproject.toml', 'requirements.txt'].map((name) => textOf(join(io.cwd, name)))
  const text = files.join('\n')
  // The name of a requirement, quoted or at the beginning of a line; a version or an extra may follow.
  const named = pythonPackages.filter((name) =>
    new RegExp(`(?:^|["'])${name.replaceAll('-', '[-_.]')}(?![\\w-])`, 'im').test(text),
  )
  const forms = pythonForms.filter(({ distributions }) => distributions.some((name) => named.includes(name)))
  // Without a manifest, as with a virtual environment only, imports show the frameworks.
  const [code, ...others] = await findPython(named.length > 0 ? forms : importable(io), io)
  const frameworks = named.length > 0 ? named : (code?.form?.distributions.slice(0, 1) ?? [])
  const names = forms.flatMap(({ modules }) => modules)
  const program = code === undefined ? await findProgram('python', names, io) : undefined
  const lack = (await hasPython(io)) ? undefined : NO_PYTHON
  const variables = frameworks.length > 0 ? await variablesIn('python', io) : []
  return { frameworks, code, others, variables, ...defined({ program, lack }) }
}

/** Returns the Python frameworks whose modules no file or folder in the working folder shadows. */
function importable({ cwd }: Io): readonly AgentForm[] {
  const isOwn = (module: string) => [module, `${module}.py`].some((name) => existsSync(join(cwd, name)))
  return pythonForms.filter(({ modules }) => !modules.some(isOwn))
}

const NO_PYTHON = 'is Python, and python3 is not on PATH: install Python, or create .venv in this folder'

function environmentIn({ cwd }: Io): string | undefined {
  return environments.find((path) => existsSync(join(cwd, path)))
}

/** True if Python is on PATH; without PATH, the system default applies. */
async function hasPython(io: Io): Promise<boolean> {
  return environmentIn(io) !== undefined || io.env.PATH === undefined || (await isOnPath(GLOBAL_PYTHON, io))
}

const closers: Readonly<Record<string, string>> = { '[': ']', '{': '}' }

/** Checks TOML tables, keys, strings and brackets, but not values; returns the first error with its line. */
function tomlFault(text: string): string | undefined {
  const open: string[] = []
  let line = 1
  let statement = ''
  const at = (what: string) => `line ${line}: ${what}`
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '"' || token === "'" || token === '"""' || token === "'''") return at('a string is not closed')
    if (token === '\n' && open.length === 0) {
      if (!isStatement(statement)) return at('expected a table or a key with a value')
      statement = ''
    } else if (token in closers) open.push(closers[token] ?? '')
    else if ((token === ']' || token === '}') && open.pop() !== token) return at(`unexpected ${token}`)
    if (token !== '\n' && !token.startsWith('#')) statement += token
    line += token.split('\n').length - 1
  }
  if (open.length > 0) return at(`${open.at(-1)} is missing`)
  return isStatement(statement) ? undefined : at('expected a table or a key with a value')
}

// Closed strings before the quotes of unclosed ones; then comments, line ends and single characters.
const TOKENS =
  /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}|"""|'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|\n|[\s\S]/g

function isStatement(text: string): boolean {
  return /^\s*(?:\[.+\]|[^=\s][^=]*=\s*\S[\s\S]*)?\s*$/.test(text)
}
