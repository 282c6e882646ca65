/** Servers and recordings for the tests of this folder. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelEntry, TraceEntry } from '@joust/results'
import { onTestFinished } from 'vitest'
import { type RecorderOptions, type Recording, startRecorder } from '../../src/index.ts'

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'joust-record-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Listens on loopback until the test ends. */
export async function serve(listener: RequestListener): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  onTestFinished(close)
  // A server that listens on a port has an address of this type.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

export interface Recorded extends Recording {
  readonly folder: string
  readonly notes: readonly string[]
  /** The entries so far, as they are in the file. */
  entries(): readonly TraceEntry[]
  models(): readonly ModelEntry[]
  session(): string
}

/** Records until the test ends. */
export async function recordIn(options: Omit<RecorderOptions, 'folder'>): Promise<Recorded> {
  const folder = temporaryFolder()
  const notes: string[] = []
  const started = await startRecorder({ folder, onNote: (note) => notes.push(note), ...options })
  if (!started.ok) throw new Error(started.error)
  const lines = () =>
    readFileSync(join(folder, 'trace.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  onTestFinished(async () => void (await started.value.close('done')))
  return {
    ...started.value,
    folder,
    notes,
    entries: () => lines().filter((line) => 'seq' in line),
    models: () => lines().filter((line) => 'model' in line),
    session: () => readFileSync(join(folder, 'session.yaml'), 'utf8'),
  }
}

/** The address in a rewritten configuration. */
export function addressIn({ config = '{}' }: Recording, server = 'main'): string {
  return JSON.parse(config).mcpServers[server].url
}

export function httpConfig(url: string, more: object = {}) {
  return { path: 'mcp.json', text: JSON.stringify({ mcpServers: { main: { type: 'http', url, ...more } } }) }
}

/** Entries as short texts: `in request tools/call`. */
export function shown(entries: readonly TraceEntry[]): string[] {
  return entries.map(({ flow, direction, surface, derived }) =>
    [flow, direction, surface, ...(derived ? ['derived'] : [])].join(' '),
  )
}
