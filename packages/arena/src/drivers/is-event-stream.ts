/** What an answer says it is. */
import type { HttpAnswer } from '../model/http.ts'

/** Whether an answer is a stream of server-sent events. */
export function isEventStream({ headers }: Pick<HttpAnswer, 'headers'>): boolean {
  return /^\s*text\/event-stream\b/i.test(headers['content-type'] ?? '')
}
