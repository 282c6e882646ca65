/** Puts answers on the wire and into the trace. */
import { writeJson as jsonOf, type Value } from '@joust/source'
import type { HttpReply, HttpRequest } from '../../model/http.ts'
import { writeEvent } from '../../transport/event-stream.ts'
import type { Scene, Stage } from '../driver.ts'
import { sendJson } from '../http-body.ts'
import { type Answered, contentOf, writeAnswer as writeAnswerText } from '../json-rpc.ts'
import type { Answer } from './methods.ts'

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

/** How an answer is put on the wire. */
export interface Form {
  readonly write: (answer: Answered) => string
  readonly status: (answer: Answered) => number
}

/** JSON-RPC; `change` translates results. */
export function jsonRpc(id: Value, status = 200, change = (result: Value) => result): Form {
  return {
    write: (answer) => writeAnswerText(id, 'result' in answer ? { result: change(answer.result) } : answer),
    status: () => status,
  }
}

/** Answers in one piece or as a stream. */
export async function writeAnswer(asked: Asked, form: Form, answer: Answer): Promise<void> {
  if (!('stream' in answer)) return writeText(asked, form.status(answer), contentOf(answer), form.write(answer))
  if (isGone(asked)) return
  const { reply } = asked
  reply.head(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const item of answer.stream) {
    if (isGone(asked)) break
    record(asked, contentOf(item))
    await reply.write(writeEvent({ data: form.write(item) }))
  }
  // A client may leave after the last item, before the end is sent.
  await reply.end()
}

async function writeText(asked: Asked, status: number, content: Value, text: string): Promise<void> {
  if (isGone(asked)) return
  record(asked, content)
  await sendJson(asked.reply, text, status)
  isGone(asked)
}

function record({ stage, scene, surface }: Asked, content: Value): void {
  stage.record(scene, { direction: 'response', flow: 'out', surface, content })
}

/** Whether the peer has left, which is reported: it cannot have resisted what it did not get. */
function isGone({ stage, surface, request }: Asked): boolean {
  if (!request.signal.aborted) return false
  if (surface === '') stage.report('not-delivered', 'there was nobody to tell that a message could not be read')
  else stage.report('answer-undelivered', `nobody was there to take the answer to ${surface}`)
  return true
}
