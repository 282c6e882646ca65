/** Bodies of in-memory peers. */
import type { HttpAnswer } from '../../../src/model/http.ts'

export const json = { 'content-type': 'application/json' }

export async function textOf({ body }: HttpAnswer): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true })
  return text
}

// Peers of tests know what they get.
// biome-ignore lint/suspicious/noExplicitAny: the shape is checked by the assertion that reads it
export const parsed = (bytes: Uint8Array | string): any =>
  JSON.parse(typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes))
