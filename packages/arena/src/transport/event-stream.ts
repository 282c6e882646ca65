/** Server-sent events, read and written. The only file that knows the parser. */

import { defined } from '@joust/source'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { HttpAnswer } from '../model/http.ts'
import { createBlockSplitter, type EventBlock } from './event-blocks.ts'

interface StreamEvent {
  readonly data: string
  readonly event?: string
  readonly id?: string
  /** How long to wait before connecting again, in milliseconds. */
  readonly retry?: number
}

/** What a stream brings: an event, or with `fault` what could be read of one. */
export interface StreamItem extends StreamEvent {
  readonly fault?: string
}

/**
 * Reads the events of a body. Text that is not an event, an event over the limit and one that the stream breaks off in
 * are given with `fault`. An `id` or `retry` without data comes with the next event, or by itself (with empty data)
 * when the stream ends first. Rejects when the body does, after the last item.
 */
export async function* readEventStream(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<StreamItem> {
  const splitter = createBlockSplitter(maxBytes)
  let carried: Omit<StreamEvent, 'data'> = {}
  const read = function* (blocks: readonly EventBlock[]): Generator<StreamItem> {
    for (const { data, fault, ...rest } of blocks.map(readBlock)) {
      carried = { ...carried, ...rest }
      if (data === undefined) continue
      const item = { data, ...carried, ...(fault === undefined ? {} : { fault }) }
      carried = {}
      yield item
    }
  }
  let broken: { readonly error: unknown } | undefined
  try {
    for await (const chunk of body) yield* read(splitter.push(chunk))
  } catch (error) {
    broken = { error }
  }
  yield* read(splitter.end())
  if (Object.keys(carried).length > 0) yield { data: '', ...carried }
  if (broken !== undefined) throw broken.error
}

/** An event as written in a stream. */
export function writeEvent({ data, event, id, retry }: StreamEvent): string {
  const fields: string[] = []
  if (event !== undefined) fields.push(`event: ${oneLine(event)}`)
  if (id !== undefined) fields.push(`id: ${oneLine(id)}`)
  if (retry !== undefined) fields.push(`retry: ${retry}`)
  for (const line of data.split(/\r\n|\r|\n/)) fields.push(`data: ${line}`)
  return `${fields.join('\n')}\n\n`
}

/** A line break would end the field, and could begin another one. */
function oneLine(value: string): string {
  return value.replace(/[\r\n]+/g, ' ')
}

/** The fields of a block. `data` is absent when there is nothing to report: only an id, a retry, or an event name. */
function readBlock({ text, fault }: EventBlock): Partial<StreamItem> {
  const { message, retry, problem } = parseBlock(text)
  // The parser drops the id of a block without data; with an empty line of data it reports it.
  const { event, id } = message ?? { id: parseBlock(`data\n${text}`).message?.id }
  const wrong = fault ?? (message === undefined ? problem : undefined)
  const data = message?.data ?? (wrong === undefined ? undefined : text)
  return defined({ data, event, id, retry, fault: wrong })
}

function parseBlock(text: string) {
  const found: { message?: EventSourceMessage; retry?: number; problem?: string } = {}
  const parser = createParser({
    onEvent: (message) => {
      found.message = message
    },
    onRetry: (retry) => {
      found.retry = retry
    },
    onError: (error) => {
      found.problem ??= `not a server-sent event: ${error.message}`
    },
  })
  parser.feed(`${text}\n\n`)
  return found
}

/** Whether an answer is a stream of server-sent events. */
export function isEventStream({ headers }: Pick<HttpAnswer, 'headers'>): boolean {
  return /^\s*text\/event-stream\b/i.test(headers['content-type'] ?? '')
}
