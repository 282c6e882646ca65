import type { HttpAnswer } from '../../src/model/http.ts'

/** The whole body of an answer as text. */
export async function textOf({ body }: Pick<HttpAnswer, 'body'>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true })
  return text
}
