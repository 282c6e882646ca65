/** Runs the command in a process, as users do, and reads its output files. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { AttackResults, Results, TraceEntry } from '@joust/results'
import { peers } from './documents.ts'

const binary = fileURLToPath(new URL('../../packages/cli/bin/joust.js', import.meta.url))

/** The outcome of a run of the command. */
export interface JoustRun {
  readonly code: number | null
  readonly output: string
  readonly results: Results
  /** Returns the tool calls that an attack received, as `actor.tool`. */
  calls(id: string): readonly string[]
  trace(id: string): readonly TraceEntry[]
}

/** Runs `joust run` on documents from the library, or at absolute paths. Runs that take too long are stopped. */
export async function joustRun(
  documents: readonly string[],
  options: readonly string[],
  env: Record<string, string> = {},
  patienceMs = 40_000,
): Promise<JoustRun> {
  const out = mkdtempSync(join(tmpdir(), 'joust-peers-'))
  try {
    const files = documents.map((name) => (isAbsolute(name) ? name : `../library/${name}.oatf.yaml`))
    const argv = ['run', ...files, '--out', out, '--report', 'md', '--grace', '100ms', ...options]
    const { code, output } = await joust(argv, env, patienceMs)
    const file = join(out, 'results.json')
    if (!existsSync(file)) throw new Error(`joust exited with ${code} without results: ${output}`)
    const results: Results = JSON.parse(readFileSync(file, 'utf8'))
    const traces = new Map(
      // Attacks that were not run have no trace.
      attacksOf(results).flatMap(({ attack, trials: [first] }) =>
        first === undefined ? [] : [[attack.id, readTrace(join(out, first.trace))] as const],
      ),
    )
    const trace = (id: string) => traces.get(id) ?? []
    return { code, output, results, trace, calls: (id) => trace(id).flatMap(callIn) }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** Returns the attacks on the only target of a run. */
export function attacksOf({ targets }: Results): readonly AttackResults[] {
  return targets.flatMap(({ attacks }) => attacks)
}

/** Runs the command. `cwd` defaults to this folder. */
export function joust(
  argv: readonly string[],
  env: Record<string, string> = {},
  patienceMs = 40_000,
  cwd = peers,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    // For scripts in this folder in `--exec`.
    const child = spawn(process.execPath, [binary, ...argv], { cwd, env: { ...process.env, ...env } })
    let output = ''
    const take = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', reject)
    const timer = setTimeout(() => child.kill('SIGTERM'), patienceMs)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output })
    })
  })
}

function readTrace(file: string): readonly TraceEntry[] {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

function callIn({ surface, flow, actor, content }: TraceEntry): readonly string[] {
  if (surface !== 'tools/call' || flow !== 'in') return []
  const { name } = content as { readonly name: string }
  return [`${actor}.${name}`]
}

/** Returns unused loopback ports below the range that systems assign, so that they stay unused. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found: number[] = []
  for (let port = 10_000 + Math.floor(Math.random() * 10_000); found.length < count; port++) {
    if (await isFree(port)) found.push(port)
  }
  return found
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** A server process. */
export interface Served {
  /** The first line of its output. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts a script in this folder that prints its URL. */
export async function serve(...args: readonly string[]): Promise<Served> {
  const child: ChildProcess = spawn(process.execPath, args, { cwd: peers, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stop = () => {
    child.kill('SIGKILL')
    return closed
  }
  const timer = setTimeout(stop, 30_000)
  // stdout is a pipe.
  for await (const url of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    clearTimeout(timer)
    return { url, stop }
  }
  throw new Error(`${args.join(' ')} exited without printing a URL`)
}
