/** The front door as an MCP server with one tool: a call is a conversation of one turn. */
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { isRecord, own, type Value } from '@joust/source'
import { jsonRpcCodes, readMessage, writeError, writeResult } from '../../drivers/json-rpc.ts'
import { requestText } from '../../drivers/read-body.ts'
import { errorAnswer } from '../../model/error-answer.ts'
import { messageOf } from '../../model/errors.ts'
import type { HttpHandler } from '../../model/http.ts'
import type { DoorContext } from './door.ts'
import { saidInCall } from './request.ts'

const tool = {
  name: 'agent',
  description: 'Asks the agent and returns its answer.',
  inputSchema: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
}

type Answered = { readonly result: Value } | { readonly error: { readonly code: number; readonly message: string } }

/** Answers requests by JSON; there are no sessions and no standing stream. */
export function mcpDoor(context: DoorContext): HttpHandler {
  return async (request, reply) => {
    if (request.method !== 'POST') {
      reply.head(405, { allow: 'POST' })
      return reply.end()
    }
    const { text, fault } = requestText(request)
    const message = readMessage(text, context.maxBytes, fault)
    if (message.kind !== 'request') {
      const isTaken = message.kind === 'notification' || message.kind === 'response'
      reply.head(isTaken ? 202 : 400)
      return reply.end()
    }
    const { id, method, params } = message
    const answered = await answer(context, method, params)
    reply.head(200, { 'content-type': 'application/json' })
    await reply.end('result' in answered ? writeResult(id, answered.result) : writeError(id, answered.error))
  }
}

async function answer(context: DoorContext, method: string, params: Value): Promise<Answered> {
  if (method === 'initialize') return { result: initialized(params) }
  if (method === 'ping') return { result: {} }
  if (method === 'tools/list') return { result: { tools: [tool] } }
  if (method !== 'tools/call')
    return { error: { code: jsonRpcCodes.methodNotFound, message: `there is no method ${method}` } }
  const name = isRecord(params) ? own(params, 'name') : undefined
  if (name !== tool.name) return { error: { code: jsonRpcCodes.invalidParams, message: 'there is no such tool' } }
  return { result: await call(context, params) }
}

async function call({ reception, newId, fail }: DoorContext, params: Value): Promise<Value> {
  try {
    const text = await reception.take({ thread: `mcp ${newId()}`, said: saidInCall(params), input: params })
    const error = errorAnswer(text)
    if (error !== undefined) fail(`the agent answered with nothing but an error: ${error}`)
    return { content: [{ type: 'text', text }] }
  } catch (thrown) {
    // For a client of MCP this is an answer like any other.
    fail(messageOf(thrown))
    return { content: [{ type: 'text', text: messageOf(thrown) }], isError: true }
  }
}

function initialized(params: Value): Value {
  const asked = isRecord(params) ? own(params, 'protocolVersion') : undefined
  return {
    protocolVersion: typeof asked === 'string' ? asked : DEFAULT_MCP_VERSION,
    capabilities: { tools: {} },
    serverInfo: { name: 'agent', version: '1.0.0' },
  }
}
