/** Answers requests in this process, without a provider. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '@joust/source'
import type { Wire } from '../model/call.ts'
import { diagnose } from '../model/diagnostics.ts'
import { wireOf } from '../wire/table.ts'
import { type Reply, writeError } from '../wire/write-answer.ts'
import type { Capture } from './capture.ts'
import { keptPath } from './headers.ts'
import { breakOff, LEFT } from './upstream.ts'

export interface ReceivedRequest {
  readonly wire: Wire
  readonly method: string
  /** The path and query after the run prefix, without keys. */
  readonly path: string
  readonly body: string
  /** Aborted when the agent disconnects. */
  readonly signal: AbortSignal
}

/** Responds in place of a provider. */
export type Responder = (request: ReceivedRequest) => Promise<Reply>

/** Reads the request, calls the responder and sends the reply. */
export function answerFrom(
  responder: Responder,
  capture: Capture,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const departure = new AbortController()
  const wire = wireOf(capture.path)
  request.on('data', (chunk: Buffer) => capture.sent(chunk))
  response.once('close', () => {
    if (response.writableFinished) return
    departure.abort()
    capture.note(diagnose('client-left', LEFT))
    capture.finish('left')
  })
  request.once('end', async () => {
    const body = capture.text()
    const received = { wire, method: request.method ?? '', path: keptPath(capture.path), body: body ?? '' }
    const reply = await (body === undefined
      ? unreadable(wire)
      : attempt(responder, { ...received, signal: departure.signal }))
    if (!departure.signal.aborted) sendReply(capture, response, reply)
  })
}

/** Calls a responder. If it throws, the reply is an error response. */
export async function attempt(responder: Responder, received: ReceivedRequest): Promise<Reply> {
  try {
    return await responder(received)
  } catch (thrown) {
    const message = `the model failed: ${messageOf(thrown)}`
    const diagnostics = [diagnose('model-failed', message)]
    return writeError(received.wire, { status: 500, message }, { headers: [], diagnostics })
  }
}

function unreadable(wire: Wire): Reply {
  const message = 'the request body is too large, or its content encoding is not supported'
  return writeError(wire, { status: 413, message }, { headers: [] })
}

/** Sends a reply and ends the exchange. */
export function sendReply(capture: Capture, response: ServerResponse, reply: Reply): void {
  for (const diagnostic of reply.diagnostics ?? []) capture.note(diagnostic)
  try {
    response.writeHead(reply.status, reply.headers.flat())
  } catch (thrown) {
    capture.note(diagnose('model-failed', `cannot send the response: ${messageOf(thrown)}`))
    capture.finish('unanswered')
    response.destroy()
    return
  }
  capture.answered(reply.status, reply.headers)
  for (const piece of reply.pieces) {
    const bytes = Buffer.from(piece)
    capture.received(bytes)
    response.write(bytes)
  }
  if (reply.isBroken === true) breakOff(response, false)
  else response.end()
  capture.finish(reply.isBroken === true ? 'broken' : 'whole')
}
