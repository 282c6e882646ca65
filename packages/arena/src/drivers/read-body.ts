/** The body of an answer as text, as far as it came. */

import { createBoundedBytes } from '@joust/io'
import { type ArenaError, toArenaError } from '../model/errors.ts'

/** A text, and why it is not all of it. */
export interface BodyText {
  readonly text: string
  readonly fault?: string
  /** Set when the body broke off; then `fault` is as well. */
  readonly broken?: ArenaError
}

/** Reads to the end, to the limit or to where the body breaks off. Never rejects. */
export async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<BodyText> {
  const bytes = createBoundedBytes(maxBytes)
  try {
    for await (const chunk of body) {
      if (!bytes.add(chunk)) return { text: bytes.text(), fault: `more than ${maxBytes} bytes` }
    }
  } catch (thrown) {
    const broken = toArenaError('connection_lost', 'the answer could not be read to its end', thrown)
    return { text: bytes.text(), fault: `broken off: ${broken.message}`, broken }
  }
  return { text: bytes.text() }
}
