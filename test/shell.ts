/**
 * Runs a command line as a shell would, but with `joust` inside this process: other tests run it in a process of its
 * own.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../packages/cli/src/main.ts'
import { memoryIo } from '../packages/cli/test/world.ts'

export interface Ended {
  readonly status: number | null
  /** What was written to both streams, in order. */
  readonly printed: string
}

type Env = { readonly [name: string]: string | undefined }

/** Runs a line; only what follows `joust …` (`| sed`, `|| test`), or is not `joust`, needs a shell. */
export async function runLine(line: string, cwd: string, env: Env): Promise<Ended> {
  const split = splitLine(line)
  if (split === undefined) return inShell(line, cwd, env)
  const { words, rest } = split
  const { status, printed, stdout } = await runJoust(words, cwd, env)
  if (rest === '') return { status, printed }
  const folder = mkdtempSync(join(tmpdir(), 'joust-line-'))
  try {
    const file = join(folder, 'stdout')
    writeFileSync(file, stdout)
    return inShell(`(cat ${file}; exit ${status}) ${rest}`, cwd, env)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runJoust(words: readonly string[], cwd: string, env: Env) {
  const { io, stdout } = memoryIo({ cwd, env })
  const printed: string[] = []
  const both = (output: typeof io.stdout) => {
    const write = (text: string) => {
      printed.push(text)
      output.write(text)
    }
    return { ...output, write, writeData: write }
  }
  const status = await run(words, { ...io, stdout: both(io.stdout), stderr: both(io.stderr) })
  return { status, printed: printed.join(''), stdout: stdout.join('') }
}

function inShell(line: string, cwd: string, env: Env): Ended {
  // One stream for both, so that lines stay in the order in which they were written.
  const { status, stdout } = spawnSync(`${line} 2>&1`, { cwd, env, shell: true, encoding: 'utf8' })
  return { status, printed: stdout }
}

/** The words after `joust` and what follows them; undefined where only a shell can tell what they are. */
export function splitLine(line: string): { words: string[]; rest: string } | undefined {
  const start = /^(?:npx )?joust(?= |$)/.exec(line)
  if (start === null) return undefined
  const words: string[] = []
  let at = start[0].length
  for (;;) {
    while (line[at] === ' ') at++
    const left = line.slice(at)
    if (left === '' || /^(?:\||&&|;|>)/.test(left)) return { words, rest: left }
    // A word: plain, in single quotes, or in double quotes without anything that a shell would expand.
    const word = /^(?:[\w./:=,@{}%+-]|'[^']*'|"(?:[^"\\$`]|\\["\\])*")+(?=[ ;|]|$)/.exec(left)?.[0]
    if (word === undefined) return undefined
    words.push(unquoted(word))
    at += word.length
  }
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"/g,
    (_, single?: string, double?: string) => single ?? (double ?? '').replaceAll(/\\(.)/g, '$1'),
  )
}
