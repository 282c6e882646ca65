/** The body of a request or an answer as text, as far as it came. */
import { createBoundedBytes, type StrictText, strictText } from '@joust/io'
import { type ArenaError, toArenaError } from '../model/errors.ts'
import type { HttpRequest } from '../model/http.ts'

/** A text, and why it is not complete. */
export interface BodyText {
  readonly text: string
  readonly fault?: string
  /** Set when the body broke off; then `fault` is set as well. */
  readonly broken?: ArenaError
}

/** Reads to the end, to the limit or to where the body breaks off. Never rejects. */
export async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<BodyText> {
  const bytes = createBoundedBytes(maxBytes)
  try {
    for await (const chunk of body) {
      if (!bytes.add(chunk)) return { ...strictText(bytes.bytes(), true), fault: `more than ${maxBytes} bytes` }
    }
  } catch (thrown) {
    const broken = toArenaError('connection_lost', 'the answer could not be read to its end', thrown)
    return { ...strictText(bytes.bytes(), true), fault: `broken off: ${broken.message}`, broken }
  }
  return strictText(bytes.bytes())
}

/** The body of a request; a byte order mark is not part of it. */
export function requestText({ body, fault }: HttpRequest): StrictText {
  const read = strictText(body, fault !== undefined)
  return { ...read, text: read.text.replace(/^\uFEFF/, ''), ...(fault === undefined ? {} : { fault }) }
}
