/** Reads and writes server-sent events. The only importer of the parser. */

import { defined } from '@joust/source'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { HttpAnswer } from '../model/http.ts'
import { createBlockSplitter, type EventBlock } from './event-blocks.ts'

interface StreamEvent {
  readonly data: string
  readonly event?: string
  readonly id?: string
  /** Reconnection delay in milliseconds. */
  readonly retry?: number
}

/** A stream event; malformed if it has a `fault`. */
export interface StreamItem extends StreamEvent {
  readonly fault?: string
}

/**
 * Reads the events in a body. Malformed, oversized and incomplete events have a `fault`. An `id` or `retry` without
 * data is added to the next event, or at the end of the stream reported with empty data. If the body rejects, this
 * rejects after the last item.
 */
export async function* readEventStream(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<StreamItem> {
  const reader = createEventReader(maxBytes)
  let broken: { readonly error: unknown } | undefined
  try {
    for await (const chunk of body) yield* reader.push(chunk)
  } catch (error) {
    broken = { error }
  }
  yield* reader.end()
  if (broken !== undefined) throw broken.error
}

/** Reads events chunk by chunk, as `readEventStream` does. */
export function createEventReader(maxBytes: number) {
  const splitter = createBlockSplitter(maxBytes)
  let carried: Omit<StreamEvent, 'data'> = {}
  const read = (blocks: readonly EventBlock[]): StreamItem[] =>
    blocks.map(readBlock).flatMap(({ data, fault, ...rest }) => {
      carried = { ...carried, ...rest }
      if (data === undefined) return []
      const item = { data, ...carried, ...(fault === undefined ? {} : { fault }) }
      carried = {}
      return [item]
    })
  return {
    push: (chunk: Uint8Array) => read(splitter.push(chunk)),
    end: (): StreamItem[] => {
      const items = read(splitter.end())
      return Object.keys(carried).length > 0 ? [...items, { data: '', ...carried }] : items
    },
  }
}

/** Serializes an event. */
export function writeEvent({ data, event, id, retry }: StreamEvent): string {
  const fields: string[] = []
  if (event !== undefined) fields.push(`event: ${oneLine(event)}`)
  if (id !== undefined) fields.push(`id: ${oneLine(id)}`)
  if (retry !== undefined) fields.push(`retry: ${retry}`)
  for (const line of data.split(/\r\n|\r|\n/)) fields.push(`data: ${line}`)
  return `${fields.join('\n')}\n\n`
}

/** A line break would end the field. */
function oneLine(value: string): string {
  return value.replace(/[\r\n]+/g, ' ')
}

/** `data` is undefined if the block has only an id, a retry or an event name. */
function readBlock({ text, fault }: EventBlock): Partial<StreamItem> {
  const { message, retry, problem } = parseBlock(text)
  // The parser ignores the id of a block without data, so an empty data line is added.
  const { event, id } = message ?? { id: parseBlock(`data\n${text}`).message?.id }
  const error = fault ?? (message === undefined ? problem : undefined)
  const data = message?.data ?? (error === undefined ? undefined : text)
  return defined({ data, event, id, retry, fault: error })
}

function parseBlock(text: string) {
  const block: { message?: EventSourceMessage; retry?: number; problem?: string } = {}
  const parser = createParser({
    onEvent: (message) => {
      block.message = message
    },
    onRetry: (retry) => {
      block.retry = retry
    },
    onError: (error) => {
      block.problem ??= `not a server-sent event: ${error.message}`
    },
  })
  parser.feed(`${text}\n\n`)
  return block
}

/** True for a response with server-sent events. */
export function isEventStream({ headers }: Pick<HttpAnswer, 'headers'>): boolean {
  return /^\s*text\/event-stream\b/i.test(headers['content-type'] ?? '')
}
