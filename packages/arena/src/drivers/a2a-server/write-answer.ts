/** Sends and records responses. */
import { writeJson as jsonOf, type Value } from '@joust/source'
import type { HttpReply, HttpRequest } from '../../model/http.ts'
import { writeEvent } from '../../transport/event-stream.ts'
import type { Scene, Stage } from '../driver.ts'
import { sendJson } from '../http-body.ts'
import { type Answered, contentOf, writeAnswer as writeAnswerText } from '../json-rpc.ts'
import type { Answer } from './methods.ts'

export interface AgentRequest {
  readonly stage: Stage
  readonly scene: Scene
  readonly surface: string
  readonly request: HttpRequest
  readonly reply: HttpReply
}

export async function writeJson(request: AgentRequest, content: Value): Promise<void> {
  await writeText(request, 200, content, jsonOf(content))
}

export interface Form {
  readonly write: (answer: Answered) => string
  readonly status: (answer: Answered) => number
}

/** Returns the JSON-RPC form of responses; `change` translates results. */
export function jsonRpc(id: Value, status = 200, change = (result: Value) => result): Form {
  return {
    write: (answer) => writeAnswerText(id, 'result' in answer ? { result: change(answer.result) } : answer),
    status: () => status,
  }
}

export async function writeAnswer(request: AgentRequest, form: Form, answer: Answer): Promise<void> {
  if (!('stream' in answer)) return writeText(request, form.status(answer), contentOf(answer), form.write(answer))
  if (isGone(request)) return
  const { reply } = request
  reply.head(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const item of answer.stream) {
    if (isGone(request)) break
    record(request, contentOf(item))
    await reply.write(writeEvent({ data: form.write(item) }))
  }
  // A client may disconnect after the last item.
  await reply.end()
}

async function writeText(request: AgentRequest, status: number, content: Value, text: string): Promise<void> {
  if (isGone(request)) return
  record(request, content)
  await sendJson(request.reply, text, status)
  isGone(request)
}

function record({ stage, scene, surface }: AgentRequest, content: Value): void {
  stage.record(scene, { direction: 'response', flow: 'out', surface, content })
}

/** True if the peer has disconnected, which is reported: an agent cannot resist a response that it did not receive. */
function isGone({ stage, surface, request }: AgentRequest): boolean {
  if (!request.signal.aborted) return false
  if (surface === '')
    stage.report('not-delivered', 'the peer disconnected before the error response to a malformed message was sent')
  else stage.report('answer-undelivered', `the peer disconnected before the response to ${surface} was sent`)
  return true
}
