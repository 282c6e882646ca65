/** What a slot says that nobody is plugged into: enough that an agent which connects early, or to all of them, lives on. */
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { isRecord, own, type Value, writeJson } from '@joust/source'
import { CARD_PATH, OLD_CARD_PATH } from '../../drivers/a2a/well-known.ts'
import { minimalCard } from '../../drivers/a2a-server/agent-card.ts'
import { type JsonRpcRequest, jsonRpcCodes, readMessage, writeError, writeResult } from '../../drivers/json-rpc.ts'
import { requestText } from '../../drivers/read-body.ts'
import type { HttpReply, HttpRequest } from '../../model/http.ts'
import { defaultRunLimits } from '../../model/limits.ts'
import type { SlotKind } from './place.ts'

/** Answers a request to an empty slot; `address` is where the slot is. */
export async function answerIdle(kind: SlotKind, address: string, request: HttpRequest, reply: HttpReply) {
  if (request.method === 'POST') return answerPost(kind, request, reply)
  const [path = ''] = request.target.split('?')
  const isCard = kind === 'a2a' && (path.endsWith(CARD_PATH) || path.endsWith(OLD_CARD_PATH))
  if (request.method === 'GET' && isCard) return send(reply, 200, writeJson(minimalCard(`${address}/`)))
  // A server without a stream of its own messages says so with 405.
  reply.head(kind === 'mcp' ? 405 : 404, kind === 'mcp' ? { allow: 'POST' } : {})
  await reply.end()
}

async function answerPost(kind: SlotKind, request: HttpRequest, reply: HttpReply): Promise<void> {
  const { text, fault } = requestText(request)
  const message = readMessage(text, defaultRunLimits.messageBytes, fault)
  if (message.kind === 'notification' || message.kind === 'response') {
    reply.head(202)
    return reply.end()
  }
  if (message.kind !== 'request') {
    return send(reply, 400, writeError(null, { code: jsonRpcCodes.invalidRequest, message: 'Invalid Request' }))
  }
  if (kind === 'a2a') {
    const error = { code: jsonRpcCodes.internalError, message: 'The agent is not available at the moment' }
    return send(reply, 503, writeError(message.id, error), { 'retry-after': '1' })
  }
  const result = emptyResult(message)
  const error = { code: jsonRpcCodes.methodNotFound, message: 'Method not found' }
  await send(reply, 200, result === undefined ? writeError(message.id, error) : writeResult(message.id, result))
}

/**
 * An MCP server that has nothing. It gives out no session, so whoever began with it goes on with the actor that comes
 * without a new handshake.
 */
function emptyResult({ method, params }: JsonRpcRequest): Value | undefined {
  if (method === 'initialize') {
    const asked = isRecord(params) ? own(params, 'protocolVersion') : undefined
    const protocolVersion = typeof asked === 'string' ? asked : DEFAULT_MCP_VERSION
    const capabilities = { tools: {}, resources: {}, prompts: {} }
    return { protocolVersion, capabilities, serverInfo: { name: 'server', version: '1.0.0' } }
  }
  return new Map<string, Value>(Object.entries(nothing)).get(method)
}

const nothing = {
  ping: {},
  'tools/list': { tools: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'prompts/list': { prompts: [] },
}

/** Tells a client that its session is over; MCP has it begin a new one then. */
export function sendSessionOver(reply: HttpReply): Promise<void> {
  return send(reply, 404, writeError(null, { code: -32_000, message: 'Session not found' }))
}

async function send(reply: HttpReply, status: number, json: string, headers = {}): Promise<void> {
  reply.head(status, { 'content-type': 'application/json', ...headers })
  await reply.end(json)
}
