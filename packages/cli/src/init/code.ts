/** Finds agents in the text of source code, without loading the code. */

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readBounded } from '@joust/io'
import { RESULTS_HOME } from '@joust/results/files'
import type { Io } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'
import type { AgentForm } from './frameworks/form.ts'

export interface AgentSource {
  /** Path relative to the working folder, with `/`. */
  readonly file: string
  /** Export name, such as `default`. */
  readonly name: string
  /** The framework of the agent; absent for a plain function. */
  readonly form?: AgentForm
}

/** A script without a callable export; Joust starts the script, which reads the prompt. */
export interface AgentProgram {
  /** Path relative to the working folder, with `/`. */
  readonly file: string
  readonly takes: 'words' | 'input'
}

const skipped = ['node_modules', 'dist', 'build', 'coverage', 'test', 'tests', RESULTS_HOME, 'venv', '__pycache__']

const javascript = /(?<!\.d)\.(?:mjs|js|cjs|mts|ts)$/
const python = /\.py$/
const notAgents = /\.(?:test|spec|config|agent)\.|^(?:test_|joust_agent)/

/** Returns agents in modules that import the packages, most likely first; functions only if there are no objects. */
export async function findJavascript(
  packages: readonly string[],
  forms: readonly AgentForm[],
  io: Io,
): Promise<readonly AgentSource[]> {
  const modules = await modulesIn(io.cwd, javascript)
  const using = modules.filter(({ text }) => packages.some((name) => imports(text, name)))
  const functions = using.flatMap(({ file, text }) => exportsOf(text).map((name) => ({ file, name })))
  const objects = using.flatMap((module) => agentsIn(module, forms, imports))
  return ranked(objects.length > 0 ? objects : functions)
}

/** Returns the agents in Python modules, most likely first. Only framework objects are recognized. */
export async function findPython(forms: readonly AgentForm[], io: Io): Promise<readonly AgentSource[]> {
  const modules = await modulesIn(io.cwd, python)
  return ranked(modules.flatMap((module) => agentsIn(module, forms, importsInPython)))
}

/** Finds a script that uses one of the packages and reads command-line arguments or standard input. */
export async function findProgram(
  language: keyof typeof programs,
  packages: readonly string[],
  io: Io,
): Promise<AgentProgram | undefined> {
  const { ending, uses, words, input } = programs[language]
  const modules = await modulesIn(io.cwd, ending)
  const using = modules.filter(({ text }) => packages.some((name) => uses(text, name)))
  const takingWords = using.find(({ text }) => words.test(text))
  if (takingWords !== undefined) return { file: takingWords.file, takes: 'words' }
  const takingInput = using.find(({ text }) => input.test(text))
  return takingInput && { file: takingInput.file, takes: 'input' }
}

/** Returns the environment variables that modules in the folder read, except those that a run sets. */
export async function variablesIn(language: keyof typeof programs, io: Io): Promise<readonly string[]> {
  const modules = await modulesIn(io.cwd, programs[language].ending)
  const names = modules.flatMap(({ text }) => [...text.matchAll(READS)].map(([, name = '']) => name))
  return [...new Set(names)].filter((name) => !SET_BY_RUNS.test(name))
}

const READS = /\b(?:environ(?:\.get\(|\[)|getenv\(|process\.env(?:\.|\[))\s*["']?([A-Z][A-Z0-9_]*)\b/g
const SET_BY_RUNS = /^(?:PATH|HOME|LANG|TMPDIR|MCP_CONFIG|A2A_CONFIG|MODEL_URL)$/

const programs = {
  javascript: {
    ending: javascript,
    uses: imports,
    words: /\bprocess\.argv\b/,
    input: /\bprocess\.stdin\b|['"](?:node:)?readline/,
  },
  python: { ending: python, uses: importsInPython, words: /\bsys\.argv\b/, input: /\bsys\.stdin\b|(?<!\w)input\(/ },
} as const

function importsInPython(text: string, name: string): boolean {
  return new RegExp(`^(?:from|import)\\s+${name}\\b`, 'm').test(text)
}

function agentsIn(
  { file, text }: Module,
  forms: readonly AgentForm[],
  uses: (text: string, name: string) => boolean,
): AgentSource[] {
  return forms
    .filter(({ modules }) => modules.some((name) => uses(text, name)))
    .flatMap((form) =>
      [...text.matchAll(form.written)].map(([, ...names]) => ({ file, name: names.find(Boolean) ?? 'default', form })),
    )
    .toSorted((a, b) => Number(isPart(a.name, text)) - Number(isPart(b.name, text)))
}

/** True for an agent that is listed as a handoff or sub-agent of another agent. */
function isPart(name: string, text: string): boolean {
  const lists = text.matchAll(/\b(?:handoffs|sub_?agents)\s*[=:]\s*\[([^\]]*)\]/gi)
  return [...lists].some(([, list = '']) => list.split(/[^\w$]+/).includes(name))
}

function ranked(sources: readonly AgentSource[]): readonly AgentSource[] {
  const isNamed = ({ file, name }: AgentSource) => /agent/i.test(name) || (name === 'default' && /agent/i.test(file))
  return sources.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
}

type Module = Awaited<ReturnType<typeof modulesIn>>[number]

async function modulesIn(root: string, ending: RegExp) {
  const files: string[] = []
  const pending = [{ folder: '', depth: 0 }]
  const { initFiles, initDepth } = commandLimits
  for (let next = pending.shift(); next !== undefined && files.length < initFiles; next = pending.shift()) {
    const { folder, depth } = next
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile() && ending.test(entry.name) && !notAgents.test(entry.name)) files.push(path)
      else if (isSearched(entry.name) && entry.isDirectory() && depth < initDepth)
        pending.push({ folder: path, depth: depth + 1 })
    }
  }
  return files.slice(0, initFiles).map((file) => ({ file, text: textOf(join(root, file)) }))
}

function isSearched(folder: string): boolean {
  return !folder.startsWith('.') && !skipped.includes(folder)
}

function imports(text: string, name: string): boolean {
  return ["'", '"'].some((quote) =>
    [`from ${quote}${name}${quote}`, `from ${quote}${name}/`, `(${quote}${name}${quote})`].some((way) =>
      text.includes(way),
    ),
  )
}

function exportsOf(text: string): string[] {
  const named = [
    ...text.matchAll(/^export\s+(?:async\s+)?function\s*\*?\s*([\w$]+)/gm),
    ...text.matchAll(/^export\s+const\s+([\w$]+)\s*=\s*(?:async\b|\()/gm),
  ].map((match) => match[1] ?? '')
  const isDefault = /^export\s+default\s+(?:async\b|function\b|\()/m.test(text)
  return [...(isDefault ? ['default'] : []), ...named.filter((name) => !HANDLERS.test(name))]
}

/** Names of HTTP route handlers, which take a request rather than a prompt. */
const HANDLERS = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/

/** Returns the text of a file; empty if the file is missing or too large. */
export function textOf(path: string): string {
  try {
    return new TextDecoder().decode(readBounded(path, commandLimits.initBytes))
  } catch {
    return ''
  }
}
