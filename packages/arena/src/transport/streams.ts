/** Promises for Node streams that do not hang when the peer disconnects. */

import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { createLineSplitter, type Line } from '@joust/io'
import { messageOf } from '@joust/source'
import { ArenaError, toArenaError } from '../model/errors.ts'
import type { Channel } from './channel.ts'

/** Writes a chunk; resolves when the stream can accept more or is closed. */
export async function writeChunk(output: Writable, chunk: string | Uint8Array): Promise<void> {
  if (!isOpen(output) || output.write(chunk)) return
  await settled(output, 'drain')
}

/** Ends a stream; resolves when all data is written or the stream is closed. */
export async function endStream(output: Writable, chunk?: string | Uint8Array): Promise<void> {
  if (!isOpen(output)) return
  if (chunk === undefined) output.end()
  else output.end(chunk)
  if (!output.writableFinished) await settled(output, 'finish')
}

export function isOpen(output: Writable): boolean {
  return !output.destroyed && !output.writableEnded && output.errored === null
}

function settled(output: Writable, event: 'drain' | 'finish'): Promise<void> {
  return new Promise((resolve) => {
    // Any number of writes may wait, so the listener warning is disabled.
    output.setMaxListeners(0)
    const done = () => {
      for (const name of [event, 'close', 'error']) output.off(name, done)
      resolve()
    }
    for (const name of [event, 'close', 'error']) output.on(name, done)
    if (output.destroyed) done()
  })
}

/** Applies backpressure; resolves at the end of the stream. */
export async function pumpLines(input: Readable, lines: Channel<Line>, maxLineBytes: number): Promise<void> {
  const splitter = createLineSplitter(maxLineBytes)
  const pass = (all: readonly Line[]) => Promise.all(all.map((line) => lines.push(line)))
  try {
    for await (const chunk of input) await pass(splitter.push(chunk))
  } catch {
    // An error ends the stream; its last line is still passed on.
  }
  await pass(splitter.end())
}

/** Copies a body to a channel; a truncated body ends with `connection_lost`. */
export async function pumpBody(input: Readable, body: Channel<Uint8Array>, from: string): Promise<void> {
  try {
    for await (const chunk of input) await body.push(toBytes(chunk))
    body.end()
  } catch (thrown) {
    body.end(toArenaError('connection_lost', `the response from ${from} was cut off`, thrown))
  }
}

/** Adds the code of a socket error to its message. */
export function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined
  const text = messageOf(thrown)
  return code === undefined || text.includes(code) ? text : `${text} (${code})`
}

export function environmentError(code: ArenaError['code'], what: string, thrown: unknown): ArenaError {
  return new ArenaError(code, `${what}: ${reasonOf(thrown)}`, { cause: thrown })
}

/** Text is encoded as UTF-8. */
export function toBytes(chunk: unknown): Uint8Array {
  return chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk))
}

/** Names are lower-cased; repeated headers are joined by a comma. */
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
