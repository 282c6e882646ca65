/** The body of an answer as text, up to a limit. */
import { createBoundedBytes } from '../../transport/bounded-bytes.ts'

/** The text; `fault` says that it is not all of it, and why. */
export interface BodyText {
  readonly text: string
  readonly fault?: string
}

/** Reads to the end or to the limit. Rejects when the body breaks off. */
export async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<BodyText> {
  const kept = createBoundedBytes(maxBytes)
  for await (const chunk of body) {
    if (!kept.add(chunk)) return { text: kept.text(), fault: `more than ${maxBytes} bytes` }
  }
  return { text: kept.text() }
}
