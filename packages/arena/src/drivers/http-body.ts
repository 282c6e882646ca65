/** Request and response bodies. */
import { createBoundedBytes, type StrictText, strictText } from '@joust/io'
import { type ArenaError, toArenaError } from '../model/errors.ts'
import type { HttpReply, HttpRequest } from '../model/http.ts'
import type { Message, Stage } from './driver.ts'

/** `fault` is the reason if the text is incomplete. */
export interface BodyText {
  readonly text: string
  readonly fault?: string
  /** The error that truncated the body; `fault` is set as well. */
  readonly broken?: ArenaError
}

/** Stops at the limit. Never rejects. */
export async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<BodyText> {
  const bytes = createBoundedBytes(maxBytes)
  try {
    for await (const chunk of body) {
      if (!bytes.add(chunk)) return { ...strictText(bytes.bytes(), true), fault: `more than ${maxBytes} bytes` }
    }
  } catch (thrown) {
    const broken = toArenaError('connection_lost', 'the response was cut off', thrown)
    return { ...strictText(bytes.bytes(), true), fault: `cut off: ${broken.message}`, broken }
  }
  return strictText(bytes.bytes())
}

/** Decodes a request body and removes a byte order mark. */
export function requestText({ body, fault }: HttpRequest): StrictText {
  const read = strictText(body, fault !== undefined)
  return { ...read, text: read.text.replace(/^\uFEFF/, ''), ...(fault === undefined ? {} : { fault }) }
}

type Headers = Readonly<Record<string, string>>

/** Responds with JSON. */
export async function sendJson(reply: HttpReply, json: string, status = 200, headers: Headers = {}): Promise<void> {
  reply.head(status, { 'content-type': 'application/json', ...headers })
  await reply.end(json)
}

/** Responds with a status and no body. */
export async function sendEmpty(reply: HttpReply, status: number, headers: Headers = {}): Promise<void> {
  reply.head(status, headers)
  await reply.end()
}

/** `diagnostic` defaults to the reason. */
export function recordMalformed(
  stage: Stage,
  message: Partial<Pick<Message, 'surface' | 'session'>> & Pick<Message, 'direction'>,
  text: string,
  reason: string,
  diagnostic = reason,
): void {
  stage.record(stage.scene(), { surface: '', ...message, flow: 'in', content: text, malformed: reason })
  stage.report('message-malformed', diagnostic)
}
