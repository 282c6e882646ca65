/** The body of an answer as text, as far as it came. */
import { messageOf } from '../../errors.ts'
import { createBoundedBytes } from '../../transport/bounded-bytes.ts'

/** A text, and why it is not all of it. */
export interface BodyText {
  readonly text: string
  readonly fault?: string
}

/** Reads to the end, to the limit or to where the body breaks off. Never rejects. */
export async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<BodyText> {
  const bytes = createBoundedBytes(maxBytes)
  try {
    for await (const chunk of body) {
      if (!bytes.add(chunk)) return { text: bytes.text(), fault: `more than ${maxBytes} bytes` }
    }
  } catch (thrown) {
    return { text: bytes.text(), fault: `broken off: ${messageOf(thrown)}` }
  }
  return { text: bytes.text() }
}
