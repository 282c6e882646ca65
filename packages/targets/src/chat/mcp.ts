/** The chat interface as an MCP server with one tool. Each call is a conversation with one turn. */

import { errorAnswer } from '@joust/arena'
import type { HttpHandler } from '@joust/arena/wire'
import {
  answerPlainly,
  failure,
  jsonRpcCodes,
  type PlainServer,
  readMessage,
  requestText,
  sendEmpty,
  sendJson,
  writeAnswer,
} from '@joust/arena/wire'
import { messageOf, own, type Value } from '@joust/source'
import type { ChatContext } from './conversations.ts'
import { messageInCall } from './request.ts'

const tool = {
  name: 'agent',
  description: 'Asks the agent and returns its answer.',
  inputSchema: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
}

/** Creates a handler that responds with JSON and supports neither sessions nor a stream for server messages. */
export function mcpHandler(context: ChatContext): HttpHandler {
  const server: PlainServer = {
    isModern: true,
    name: 'agent',
    capabilities: { tools: {} },
    methods: {
      'tools/list': () => ({ result: { tools: [tool] } }),
      'tools/call': async (params) =>
        own(params, 'name') === tool.name
          ? { result: await call(context, params) }
          : failure(jsonRpcCodes.invalidParams, 'unknown tool'),
    },
  }
  return async (request, reply) => {
    if (request.method !== 'POST') return sendEmpty(reply, 405, { allow: 'POST' })
    const { text, fault } = requestText(request)
    const message = readMessage(text, context.maxBytes, fault)
    if (message.kind === 'request')
      return sendJson(reply, writeAnswer(message.id, await answerPlainly(server, message)))
    const isAccepted = message.kind === 'notification' || message.kind === 'response'
    await sendEmpty(reply, isAccepted ? 202 : 400)
  }
}

async function call({ conversations, newId, fail }: ChatContext, params: Value): Promise<Value> {
  try {
    const text = await conversations.send({ thread: `mcp ${newId()}`, message: messageInCall(params), input: params })
    const error = errorAnswer(text)
    if (error !== undefined) fail(`the agent answered only with an error: ${error}`)
    return { content: [{ type: 'text', text }] }
  } catch (thrown) {
    // MCP clients cannot distinguish this from an ordinary answer.
    fail(messageOf(thrown))
    return { content: [{ type: 'text', text: messageOf(thrown) }], isError: true }
  }
}
