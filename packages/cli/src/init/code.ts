/** A function in somebody's JavaScript that looks like an agent: found by its text, never loaded. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readBounded } from '@joust/io'
import type { Io } from '../terminal/io.ts'

/** Where it is. */
export interface AgentCode {
  /** Relative to the working folder, with `/`. */
  readonly file: string
  /** The name of the export; `default` too. */
  readonly name: string
}

const MOST_FILES = 200
const MOST_DEPTH = 3
const MOST_BYTES = 4 * 1024 * 1024
const leftOut = ['node_modules', 'dist', 'build', 'coverage', 'test', 'tests', 'joust-results']

/** The most likely function among the modules that import one of some packages. */
export async function findAgentCode(packages: readonly string[], io: Io): Promise<AgentCode | undefined> {
  const found: AgentCode[] = []
  for (const file of await modulesIn(io.cwd)) {
    const text = textOf(join(io.cwd, file))
    if (!packages.some((name) => imports(text, name))) continue
    found.push(...exportsOf(text).map((name) => ({ file, name })))
  }
  // One that is called an agent goes before one that is not.
  return found.find(({ file, name }) => /agent/i.test(name) || (name === 'default' && /agent/i.test(file))) ?? found[0]
}

async function modulesIn(root: string): Promise<string[]> {
  const found: string[] = []
  const pending = [{ folder: '', depth: 0 }]
  for (let next = pending.shift(); next !== undefined && found.length < MOST_FILES; next = pending.shift()) {
    const { folder, depth } = next
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile() && /\.(?:mjs|js|cjs)$/.test(entry.name) && !/\.(?:test|spec|config)\./.test(entry.name))
        found.push(path)
      else if (
        entry.isDirectory() &&
        depth < MOST_DEPTH &&
        !entry.name.startsWith('.') &&
        !leftOut.includes(entry.name)
      )
        pending.push({ folder: path, depth: depth + 1 })
    }
  }
  return found.slice(0, MOST_FILES)
}

function imports(text: string, name: string): boolean {
  return [`'${name}'`, `"${name}"`].some((quoted) => text.includes(`from ${quoted}`) || text.includes(`(${quoted})`))
}

/** Functions that a module exports, as far as its text tells. */
function exportsOf(text: string): string[] {
  const named = [
    ...text.matchAll(/^export\s+(?:async\s+)?function\s*\*?\s*([\w$]+)/gm),
    ...text.matchAll(/^export\s+const\s+([\w$]+)\s*=\s*(?:async\b|\()/gm),
  ].map((match) => match[1] ?? '')
  const isDefault = /^export\s+default\s+(?:async\b|function\b|\()/m.test(text)
  return [...(isDefault ? ['default'] : []), ...named]
}

/** The text of a file of usual size; nothing where there is none. */
export function textOf(path: string): string {
  try {
    return new TextDecoder().decode(readBounded(path, MOST_BYTES))
  } catch {
    return ''
  }
}
