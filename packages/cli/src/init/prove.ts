/** The consent to run the agents of a folder, and what to change in those that do not work. */
import { join } from 'node:path'
import type { ResultPreflight } from '@joust/results'
import { printable } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import { textOf } from './code.ts'
import type { AgentForm } from './frameworks/form.ts'
import type { Found } from './look.ts'
import { JAVASCRIPT_FILE, PYTHON_FILE } from './wrapper.ts'

/** Asks for the consent of the user; false if there is no terminal. */
export async function isAllowed(names: readonly string[], io: Io): Promise<boolean> {
  const { ask } = io
  if (ask === undefined) return false
  const question = `Run ${printable(names.join(', '))} now with a simulated model, without a key? This starts your code. [y/N] `
  return io.stoppable(async (signal) => /^y(?:es)?$/i.test((await ask(question, signal)).trim()))
}

/** What to change, a line for each ability that is missing; empty if the agent works. */
export function explain(result: ResultPreflight, { javascript, python }: Found, io: Pick<Io, 'cwd'>): string[] {
  const code = python.code ?? javascript.code
  const file = python.code === undefined ? JAVASCRIPT_FILE : PYTHON_FILE
  const text = textOf(join(io.cwd, file))
  const at = (words: RegExp) => `line ${lineOf(text, words)} of ${file}`
  if (result.status !== 'failed')
    return result.remembers === 'no'
      ? [
          `the agent forgets the first message: keep the conversation in ${at(/history|histories|memory|session|return/)}`,
        ]
      : []
  const reason = result.reasons.join('\n')
  return [
    missingPackage(reason, code?.form) ??
      raisedAt(reason, io.cwd) ??
      unconnected(reason, at) ??
      `change ${at(/return/)}`,
  ]
}

function missingPackage(reason: string, form: AgentForm | undefined): string | undefined {
  const [, python, javascript] =
    /No module named '([\w.]+)'|Cannot find (?:package|module) '([^']+)'/.exec(reason) ?? []
  const name = python ?? javascript
  if (name === undefined) return undefined
  const needed = form?.needs
  const install = python === undefined ? 'npm install' : 'pip install'
  return needed === undefined
    ? `the package ${name} is not installed: install the packages of your project`
    : `the package ${name} is not installed: ${install} ${JSON.stringify(needed)}`
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
