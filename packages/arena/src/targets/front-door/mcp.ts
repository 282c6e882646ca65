/** The front door as an MCP server with one tool: a call is a conversation of one turn. */
import { messageOf, own, type Value } from '@joust/source'
import { requestText, sendEmpty, sendJson } from '../../drivers/http-body.ts'
import { failure, jsonRpcCodes, readMessage, writeAnswer } from '../../drivers/json-rpc.ts'
import { answerPlainly, type PlainServer } from '../../drivers/mcp/plain-server.ts'
import { errorAnswer } from '../../model/error-answer.ts'
import type { HttpHandler } from '../../model/http.ts'
import type { DoorContext } from './reception.ts'
import { saidInCall } from './request.ts'

const tool = {
  name: 'agent',
  description: 'Asks the agent and returns its answer.',
  inputSchema: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
}

/** Answers requests with JSON; there are no sessions and no standing stream. */
export function mcpDoor(context: DoorContext): HttpHandler {
  const server: PlainServer = {
    name: 'agent',
    capabilities: { tools: {} },
    methods: {
      'tools/list': () => ({ result: { tools: [tool] } }),
      'tools/call': async (params) =>
        own(params, 'name') === tool.name
          ? { result: await call(context, params) }
          : failure(jsonRpcCodes.invalidParams, 'there is no such tool'),
    },
  }
  return async (request, reply) => {
    if (request.method !== 'POST') return sendEmpty(reply, 405, { allow: 'POST' })
    const { text, fault } = requestText(request)
    const message = readMessage(text, context.maxBytes, fault)
    if (message.kind === 'request')
      return sendJson(reply, writeAnswer(message.id, await answerPlainly(server, message)))
    const isTaken = message.kind === 'notification' || message.kind === 'response'
    await sendEmpty(reply, isTaken ? 202 : 400)
  }
}

async function call({ reception, newId, fail }: DoorContext, params: Value): Promise<Value> {
  try {
    const text = await reception.take({ thread: `mcp ${newId()}`, said: saidInCall(params), input: params })
    const error = errorAnswer(text)
    if (error !== undefined) fail(`the agent answered with nothing but an error: ${error}`)
    return { content: [{ type: 'text', text }] }
  } catch (thrown) {
    // To a client of MCP, this looks like any other answer.
    fail(messageOf(thrown))
    return { content: [{ type: 'text', text: messageOf(thrown) }], isError: true }
  }
}
