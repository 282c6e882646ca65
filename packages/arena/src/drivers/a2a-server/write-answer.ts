/** Puts answers on the wire and into the trace. */
import { writeJson as jsonOf, type Value } from '@joust/source'
import type { HttpReply, HttpRequest } from '../../model/http.ts'
import { writeEvent } from '../../transport/event-stream.ts'
import type { Scene, Stage } from '../driver.ts'
import { writeError, writeResult } from '../json-rpc.ts'
import type { Answer, Item } from './methods.ts'

/** A request that wants an answer. */
export interface Asked {
  readonly stage: Stage
  /** The phase that the answer comes from. */
  readonly scene: Scene
  readonly surface: string
  readonly request: HttpRequest
  readonly reply: HttpReply
}

/** Answers with a value as it is. */
export async function writeJson(asked: Asked, content: Value): Promise<void> {
  await writeText(asked, 200, content, jsonOf(content))
}

/** Answers as JSON-RPC, in one piece or as a stream. */
export async function writeAnswer(asked: Asked, id: Value, answer: Answer, status = 200): Promise<void> {
  if (!('stream' in answer)) return writeText(asked, status, answer.content, envelope(id, answer))
  if (isGone(asked)) return
  const { reply } = asked
  reply.head(status, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const item of answer.stream) {
    if (isGone(asked)) break
    record(asked, item.content)
    await reply.write(writeEvent({ data: envelope(id, item) }))
  }
  // A client may leave with the last item, before the end is out.
  await reply.end()
}

async function writeText(asked: Asked, status: number, content: Value, text: string): Promise<void> {
  if (isGone(asked)) return
  record(asked, content)
  asked.reply.head(status, { 'content-type': 'application/json' })
  await asked.reply.end(text)
  isGone(asked)
}

function envelope(id: Value, { failed, content }: Item): string {
  return failed ? writeError(id, content) : writeResult(id, content)
}

function record({ stage, scene, surface }: Asked, content: Value): void {
  stage.record(scene, { direction: 'response', flow: 'out', surface, content })
}

/** Whether the peer has left, which is reported: what it did not get it cannot have resisted. */
function isGone({ stage, surface, request }: Asked): boolean {
  if (!request.signal.aborted) return false
  if (surface === '') stage.report('not-delivered', 'nobody was there to be told that a message could not be read')
  else stage.report('answer-undelivered', `nobody was there to take the answer to ${surface}`)
  return true
}
