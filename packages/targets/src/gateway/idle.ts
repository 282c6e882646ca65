/** Responses from empty slots, so that an agent can connect before a run, or to more slots than an attack uses. */

import { defaultRunLimits } from '@joust/arena'
import type { HttpReply, HttpRequest } from '@joust/arena/wire'
import {
  answerPlainly,
  cardPaths,
  failure,
  jsonRpcCodes,
  minimalCard,
  type PlainServer,
  readMessage,
  requestText,
  sendEmpty,
  sendJson,
  writeAnswer,
} from '@joust/arena/wire'
import { writeJson } from '@joust/source'
import type { SlotKind } from './gateway-run.ts'

export async function answerIdle(kind: SlotKind, address: string, request: HttpRequest, reply: HttpReply) {
  if (request.method === 'POST') return answerPost(kind, request, reply)
  const [path = ''] = request.target.split('?')
  const isCard = kind === 'a2a' && cardPaths.some((card) => path.endsWith(card))
  if (request.method === 'GET' && isCard) return sendJson(reply, writeJson(minimalCard(`${address}/`)))
  // 405 means that the server has no stream for its own messages.
  await (kind === 'mcp' ? sendEmpty(reply, 405, { allow: 'POST' }) : sendEmpty(reply, 404))
}

async function answerPost(kind: SlotKind, request: HttpRequest, reply: HttpReply): Promise<void> {
  const { text, fault } = requestText(request)
  const message = readMessage(text, defaultRunLimits.messageBytes, fault)
  if (message.kind === 'notification' || message.kind === 'response') return sendEmpty(reply, 202)
  if (message.kind !== 'request')
    return sendJson(reply, writeAnswer(null, failure(jsonRpcCodes.invalidRequest, 'Invalid Request')), 400)
  if (kind === 'mcp') return sendJson(reply, writeAnswer(message.id, await answerPlainly(emptyServer, message)))
  const busy = failure(jsonRpcCodes.internalError, 'The agent is not available at the moment')
  await sendJson(reply, writeAnswer(message.id, busy), 503, { 'retry-after': '1' })
}

/** An MCP server without tools or sessions. Its clients can continue with the next actor without a handshake. */
const emptyServer: PlainServer = {
  name: 'server',
  capabilities: { tools: {}, resources: {}, prompts: {} },
  methods: {
    'tools/list': () => ({ result: { tools: [] } }),
    'resources/list': () => ({ result: { resources: [] } }),
    'resources/templates/list': () => ({ result: { resourceTemplates: [] } }),
    'prompts/list': () => ({ result: { prompts: [] } }),
  },
}

/** Reports that the session has ended, after which MCP requires a new session. */
export function sendSessionOver(reply: HttpReply): Promise<void> {
  return sendJson(reply, writeAnswer(null, failure(-32_000, 'Session not found')), 404)
}
