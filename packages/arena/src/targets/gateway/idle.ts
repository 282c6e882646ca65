/** How an empty slot answers: enough for an agent that connects early, or to all of them, to survive. */
import { writeJson } from '@joust/source'
import { cardPaths } from '../../drivers/a2a/places.ts'
import { minimalCard } from '../../drivers/a2a-server/agent-card.ts'
import { requestText, sendEmpty, sendJson } from '../../drivers/http-body.ts'
import { failure, jsonRpcCodes, readMessage, writeAnswer } from '../../drivers/json-rpc.ts'
import { answerPlainly, type PlainServer } from '../../drivers/mcp/plain-server.ts'
import type { HttpReply, HttpRequest } from '../../model/http.ts'
import { defaultRunLimits } from '../../model/limits.ts'
import type { SlotKind } from './seat.ts'

/** Answers a request to an empty slot; `address` is where the slot is. */
export async function answerIdle(kind: SlotKind, address: string, request: HttpRequest, reply: HttpReply) {
  if (request.method === 'POST') return answerPost(kind, request, reply)
  const [path = ''] = request.target.split('?')
  const isCard = kind === 'a2a' && cardPaths.some((card) => path.endsWith(card))
  if (request.method === 'GET' && isCard) return sendJson(reply, writeJson(minimalCard(`${address}/`)))
  // A server without a stream of its own messages says so with 405.
  await (kind === 'mcp' ? sendEmpty(reply, 405, { allow: 'POST' }) : sendEmpty(reply, 404))
}

async function answerPost(kind: SlotKind, request: HttpRequest, reply: HttpReply): Promise<void> {
  const { text, fault } = requestText(request)
  const message = readMessage(text, defaultRunLimits.messageBytes, fault)
  if (message.kind === 'notification' || message.kind === 'response') return sendEmpty(reply, 202)
  if (message.kind !== 'request')
    return sendJson(reply, writeAnswer(null, failure(jsonRpcCodes.invalidRequest, 'Invalid Request')), 400)
  if (kind === 'mcp') return sendJson(reply, writeAnswer(message.id, await answerPlainly(nothing, message)))
  const busy = failure(jsonRpcCodes.internalError, 'The agent is not available at the moment')
  await sendJson(reply, writeAnswer(message.id, busy), 503, { 'retry-after': '1' })
}

/**
 * An MCP server that has nothing. It gives out no session, so a client that began with it continues with the next actor
 * without a new handshake.
 */
const nothing: PlainServer = {
  name: 'server',
  capabilities: { tools: {}, resources: {}, prompts: {} },
  methods: {
    'tools/list': () => ({ result: { tools: [] } }),
    'resources/list': () => ({ result: { resources: [] } }),
    'resources/templates/list': () => ({ result: { resourceTemplates: [] } }),
    'prompts/list': () => ({ result: { prompts: [] } }),
  },
}

/** Tells a client that its session is over; MCP then makes it begin a new one. */
export function sendSessionOver(reply: HttpReply): Promise<void> {
  return sendJson(reply, writeAnswer(null, failure(-32_000, 'Session not found')), 404)
}
