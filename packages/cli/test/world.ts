import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { reportFormatNames } from '@joust/report/formats'
import { onTestFinished } from 'vitest'
import { run } from '../src/main.ts'
import type { Io } from '../src/terminal/io.ts'

/** Every report format, as `--report` and `--format` take them: all that is written is checked. */
export const EVERY_FORMAT = reportFormatNames.join(',')

/** A folder that exists for one test, filled with files. */
export function folder(files: { readonly [path: string]: string | Uint8Array } = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'joust-test-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface World {
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
  readonly env?: Io['env']
  readonly isTTY?: boolean
  /** The width of the terminal. */
  readonly columns?: number
  /** How many lines it shows. */
  readonly rows?: number
  /** What the human at the terminal says. */
  readonly ask?: Io['ask']
  /** The lines of the human, one per question. */
  readonly prompt?: Io['prompt']
  /** Ctrl-C. */
  readonly interruption?: AbortSignal
}

/** Runs the command inside this process, with its own streams and environment. */
export async function joust(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const { io, stdout, stderr } = memoryIo(world)
  const code = await run(argv, io)
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

/** Streams that remember what was written. */
export function memoryIo(world: World = {}) {
  const { cwd = '/', stdin = '', env = {}, isTTY = false, columns, rows, ask, prompt, interruption } = world
  const stdout: string[] = []
  const stderr: string[] = []
  const bytes = typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin
  const io: Io = {
    cwd,
    env,
    stdout: { isTTY, columns, rows, write: (text) => stdout.push(text), writeData: (text) => stdout.push(text) },
    stderr: { isTTY, columns, rows, write: (text) => stderr.push(text), writeData: (text) => stderr.push(text) },
    stdin: async (limit) => bytes.subarray(0, limit + 1),
    stdinParts: async function* () {
      yield bytes
    },
    ...(ask === undefined ? {} : { ask }),
    ...(prompt === undefined ? {} : { prompt }),
    stoppable: (work) => work(interruption ?? new AbortController().signal),
  }
  return { io, stdout, stderr }
}

/** A valid document without findings. */
export const GOOD = `oatf: "0.1"
attack:
  id: ACME-007
  execution:
    mode: mcp_server
    state: { tools: [] }
  indicators:
    - target: arguments.path
      surface: tools/call
      pattern: { contains: "/etc/passwd" }
`

/** A document with a warning and no error. */
export const WARNED = GOOD.replace('mcp_server', 'mcq_server').replace('surface: tools/call', 'protocol: mcq')

/** A document with one error. */
export const BAD = GOOD.replace('ACME-007', 'acme-7')

export const AGENT = `schema_version: "1.0.0"
metadata: { id: helper, name: Helper, version: "1", description: Helps }
interface: { input: { type: string }, output: { type: string } }
execution_policy: { id: agf.react, config: { instructions: Help, model: any } }
`

/** The data of an HTML report, which is compressed in the file: results and traces. */
export function reportData(html: string): string {
  const blocks = html.matchAll(/<script type="text\/plain" id="[\w-]+">([^<]*)/g)
  return [...blocks].map(([, data = '']) => gunzipSync(Buffer.from(data, 'base64')).toString()).join('\n')
}
