/** Streams of the platform, bridged to promises that cannot hang on a peer that is gone. */

import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { createLineSplitter, type Line } from '@joust/io'
import { messageOf } from '@joust/source'
import { ArenaError, toArenaError } from '../model/errors.ts'
import type { Channel } from './channel.ts'

/** Writes a chunk; resolves when the stream can take more or is gone. */
export async function writeChunk(output: Writable, chunk: string | Uint8Array): Promise<void> {
  if (!isOpen(output) || output.write(chunk)) return
  await settled(output, 'drain')
}

/** Ends a stream; resolves when all of it has been written or the stream is gone. */
export async function endStream(output: Writable, chunk?: string | Uint8Array): Promise<void> {
  if (!isOpen(output)) return
  if (chunk === undefined) output.end()
  else output.end(chunk)
  if (!output.writableFinished) await settled(output, 'finish')
}

/** Whether a stream still takes something. */
export function isOpen(output: Writable): boolean {
  return !output.destroyed && !output.writableEnded && output.errored === null
}

function settled(output: Writable, event: 'drain' | 'finish'): Promise<void> {
  return new Promise((resolve) => {
    // Any number of writes may wait; all of them are told at once.
    output.setMaxListeners(0)
    const done = () => {
      for (const name of [event, 'close', 'error']) output.off(name, done)
      resolve()
    }
    for (const name of [event, 'close', 'error']) output.on(name, done)
    if (output.destroyed) done()
  })
}

/** Passes the lines of a stream on as they come, no faster than they are read; resolves when the stream is over. */
export async function pumpLines(input: Readable, lines: Channel<Line>, maxLineBytes: number): Promise<void> {
  const splitter = createLineSplitter(maxLineBytes)
  const pass = (all: readonly Line[]) => Promise.all(all.map((line) => lines.push(line)))
  try {
    for await (const chunk of input) await pass(splitter.push(chunk))
  } catch {
    // However a stream of lines ends, its last line counts, and there is nothing more to report.
  }
  await pass(splitter.end())
}

/** Passes a body on as it comes, then its end; one that breaks off ends in `connection_lost`. */
export async function pumpBody(input: Readable, body: Channel<Uint8Array>, from: string): Promise<void> {
  try {
    for await (const chunk of input) await body.push(toBytes(chunk))
    body.end()
  } catch (thrown) {
    body.end(toArenaError('connection_lost', `the answer of ${from} broke off`, thrown))
  }
}

/** What went wrong with a socket, in a few words. */
export function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined
  const text = messageOf(thrown)
  return code === undefined || text.includes(code) ? text : `${text} (${code})`
}

/** An `ArenaError` that says what was tried and why it failed. */
export function worldError(code: ArenaError['code'], what: string, thrown: unknown): ArenaError {
  return new ArenaError(code, `${what}: ${reasonOf(thrown)}`, { cause: thrown })
}

/** A chunk as bytes; a text in UTF-8. */
export function toBytes(chunk: unknown): Uint8Array {
  return chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk))
}

/** Names in lower case; repeated headers joined by a comma. */
export function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    const value = rawHeaders[index + 1] ?? ''
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}
