/** The front door as an AG-UI endpoint: a run is a turn, the answer is one message. */
import { isRecord, messageOf, ownText, type Value, writeJson } from '@joust/source'
import { requestText } from '../../drivers/http-body.ts'
import { readValue } from '../../drivers/json-rpc.ts'
import type { HttpHandler, HttpReply } from '../../model/http.ts'
import { writeEvent } from '../../transport/event-stream.ts'
import type { DoorContext } from './reception.ts'
import { saidInRun } from './request.ts'

/** Answers runs. */
export function agUiDoor({ reception, newId, maxBytes }: DoorContext): HttpHandler {
  return async (request, reply) => {
    const { text, fault } = requestText(request)
    const read = readValue(text, maxBytes, fault)
    if (request.method !== 'POST' || !read.ok || !isRecord(read.value)) {
      reply.head(400, { 'content-type': 'text/plain' })
      return reply.end(read.ok ? 'not a run_agent_input' : read.error.reason)
    }
    const input = read.value
    const run = { threadId: ownText(input, 'threadId') ?? newId(), runId: ownText(input, 'runId') ?? newId() }
    reply.head(200, { 'content-type': 'text/event-stream' })
    await send(reply, { type: 'RUN_STARTED', ...run })
    try {
      const answer = await reception.take({ thread: `ag_ui ${run.threadId}`, said: saidInRun(input), input })
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
