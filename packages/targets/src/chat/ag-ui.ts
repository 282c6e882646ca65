/** The chat interface as an AG-UI endpoint. Each run is a turn and returns one message. */

import { type HttpHandler, type HttpReply, readValue, requestText, writeEvent } from '@joust/arena/wire'
import { isRecord, messageOf, ownText, type Value, writeJson } from '@joust/source'
import type { ChatContext } from './conversations.ts'
import { messageInRun } from './request.ts'

export function agUiHandler({ conversations, newId, maxBytes }: ChatContext): HttpHandler {
  return async (request, reply) => {
    const { text, fault } = requestText(request)
    const body = readValue(text, maxBytes, fault)
    if (request.method !== 'POST' || !body.ok || !isRecord(body.value)) {
      reply.head(400, { 'content-type': 'text/plain' })
      return reply.end(body.ok ? 'expected a RunAgentInput' : body.error.reason)
    }
    const input = body.value
    const run = { threadId: ownText(input, 'threadId') ?? newId(), runId: ownText(input, 'runId') ?? newId() }
    reply.head(200, { 'content-type': 'text/event-stream' })
    await send(reply, { type: 'RUN_STARTED', ...run })
    try {
      const thread = `ag_ui ${run.threadId}`
      const answer = await conversations.send({ thread, message: messageInRun(input), input })
      const messageId = newId()
      await send(reply, { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
      await send(reply, { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: answer })
      await send(reply, { type: 'TEXT_MESSAGE_END', messageId })
      await send(reply, { type: 'RUN_FINISHED', ...run })
    } catch (thrown) {
      await send(reply, { type: 'RUN_ERROR', message: messageOf(thrown) })
    }
    await reply.end()
  }
}

function send(reply: HttpReply, event: Value): Promise<void> {
  return reply.write(writeEvent({ data: writeJson(event) }))
}
