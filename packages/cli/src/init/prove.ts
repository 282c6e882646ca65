/** The consent to run the agents of a folder, and what to change in those that do not work. */
import { join } from 'node:path'
import type { ResultPreflight } from '@joust/results'
import { PROJECT_FILE } from '@joust/runtime/bindings'
import { printable } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import { textOf } from './code.ts'
import { type Found, GLOBAL_PYTHON, VENV } from './look.ts'
import { JAVASCRIPT_FILE, PYTHON_FILE } from './wrapper.ts'

/** Asks for the consent of the user; false if there is no terminal. */
export async function isAllowed(names: readonly string[], io: Io): Promise<boolean> {
  const { ask } = io
  if (ask === undefined) return false
  const question = `Run ${printable(names.join(', '))} now with a simulated model, without a key? This starts your code. [y/N] `
  return io.stoppable(async (signal) => /^y(?:es)?$/i.test((await ask(question, signal)).trim()))
}

/** Changes to make, a line for each missing ability; empty if the agent works. */
export function explain(result: ResultPreflight, found: Found, io: Pick<Io, 'cwd'>): string[] {
  if (result.status === 'failed') return [adviceFor(result.reasons.join('\n'), found, io)]
  const at = lineIn(found, io)
  return result.remembers === 'no'
    ? [`the agent forgets the first message: keep the conversation in ${at(/history|memory|session|return/)}`]
    : []
}

/** The change to make, selected by the reason why an agent does not work. */
export function adviceFor(reason: string, found: Found, io: Pick<Io, 'cwd'>): string {
  const at = lineIn(found, io)
  return (
    missingPackage(reason, found, io) ??
    missingExport(reason) ??
    raisedAt(reason, io.cwd) ??
    unconnected(reason, at) ??
    `change ${at(/return/)}`
  )
}

/** Returns the location of some words in the wrapper of the agent. */
function lineIn({ javascript, python }: Found, { cwd }: Pick<Io, 'cwd'>): (words: RegExp) => string {
  const isPython = python.frameworks.length > 0 && javascript.code === undefined
  const file = isPython ? PYTHON_FILE : JAVASCRIPT_FILE
  const text = textOf(join(cwd, file))
  return (words) => `line ${lineOf(text, words)} of ${file}`
}

function missingPackage(reason: string, found: Found, { cwd }: Pick<Io, 'cwd'>): string | undefined {
  const [, python, javascript] =
    /No module named '([\w.]+)'|Cannot find (?:package|module) '([^'/.][^']*)'/.exec(reason) ?? []
  const name = python ?? javascript
  if (name === undefined) return undefined
  const { code } = python === undefined ? found.javascript : found.python
  // A module that the agent imports itself is a package of the project.
  const isTheirs = code !== undefined && textOf(join(cwd, code.file)).includes(name)
  const needed = isTheirs || code?.form?.needs === undefined ? undefined : JSON.stringify(code.form.needs)
  const install = python === undefined ? `npm install ${needed ?? ''}`.trim() : pipCommand(needed, found, cwd)
  return `the package ${name} is not installed: ${install}`
}

function pipCommand(needed: string | undefined, { interpreter }: Found, cwd: string): string {
  const all = textOf(join(cwd, 'requirements.txt')) === '' ? '.' : '-r requirements.txt'
  if (interpreter !== GLOBAL_PYTHON) return `${interpreter} -m pip install ${needed ?? all}`
  const line = textOf(join(cwd, PROJECT_FILE))
    .split('\n')
    .findIndex((one) => one.includes(`exec: ${GLOBAL_PYTHON} `))
  const change = `in line ${line + 1} of ${PROJECT_FILE}, write ${VENV}/bin/python for ${GLOBAL_PYTHON}`
  const words = ['install', all, ...(needed === undefined ? [] : [needed])]
  return `${GLOBAL_PYTHON} -m venv ${VENV} && ${VENV}/bin/pip ${words.join(' ')}; then, ${change}`
}

function missingExport(reason: string): string | undefined {
  const [, file, name] = /module '(\.[^']+)' does not provide an export named '([^']+)'/.exec(reason) ?? []
  return name && `${name} in ${file} is not exported: write export before const ${name}`
}

/** The last frame of a traceback in a file of the folder. */
function raisedAt(reason: string, cwd: string): string | undefined {
  const frames = [...reason.matchAll(/File "([^"\n]+)", line (\d+)|(?:file:\/\/)?(\/[^\s()]+\.[cm]?[jt]s):(\d+)/g)]
    .map(([, python, line, javascript, other]) => ({ path: python ?? javascript ?? '', line: line ?? other }))
    .filter(({ path }) => path.startsWith(`${cwd}/`) && !/\/(?:\.?venv|node_modules|site-packages)\//.test(path))
  const last = frames.at(-1)
  return last && `it raised an exception: change line ${last.line} of ${last.path.slice(cwd.length + 1)}`
}

function unconnected(reason: string, at: (words: RegExp) => string): string | undefined {
  return /never connected|never listed/.test(reason)
    ? `pass the MCP servers to the agent: ${at(/(?<!def )mcp_servers\(\)|^(?!\/\/).*mcpServers/m)}`
    : undefined
}

/** The number of the first line of code that matches. */
function lineOf(text: string, words: RegExp): number {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /def answer\(|function answer\(/.test(line))
  const index = lines.findIndex((line, number) => number > start && words.test(line))
  return Math.max(index, start, 0) + 1
}
