/** Answers that go out in one piece, and messages that could not be read. */
import type { HttpReply } from '../model/http.ts'
import type { Message, Stage } from './driver.ts'

type Headers = Readonly<Record<string, string>>

/** Answers with JSON. */
export async function sendJson(reply: HttpReply, json: string, status = 200, headers: Headers = {}): Promise<void> {
  reply.head(status, { 'content-type': 'application/json', ...headers })
  await reply.end(json)
}

/** Answers with a status alone. */
export async function sendEmpty(reply: HttpReply, status: number, headers: Headers = {}): Promise<void> {
  reply.head(status, headers)
  await reply.end()
}

/** Keeps a text that could not be read, and reports it by the reason alone, or in the words given. */
export function recordMalformed(
  stage: Stage,
  message: Partial<Pick<Message, 'surface' | 'session'>> & Pick<Message, 'direction'>,
  text: string,
  reason: string,
  told = reason,
): void {
  stage.record(stage.scene(), { surface: '', ...message, flow: 'in', content: text, malformed: reason })
  stage.report('message-malformed', told)
}
