/** The HTTP side of an A2A agent: its card by GET, JSON-RPC by POST on any path, and HTTP+JSON. */
import { PUSH_SURFACE } from '@joust/oatf'
import type { Value } from '@joust/source'
import type { HttpHandler, HttpReply, HttpRequest } from '../../model/http.ts'
import { asksSignature, KEYS_PATH, keySet } from '../a2a/card-signature.ts'
import { CARD_METHOD, cardPaths } from '../a2a/endpoints.ts'
import { readPush } from '../a2a/push.ts'
import { modernResult, olderRequest } from '../a2a/versions.ts'
import type { Scene, Stage } from '../driver.ts'
import { checkPage } from '../guard.ts'
import { recordMalformed, requestText, sendEmpty } from '../http-body.ts'
import { failure, type JsonRpcBatch, type JsonRpcMalformed, jsonRpcCodes, readMessage } from '../json-rpc.ts'
import { writtenReply } from '../written-headers.ts'
import { agentCardOf } from './agent-card.ts'
import { answerMethod, type Call } from './methods.ts'
import { asksModern, type RestRequest, readRest, rest } from './modern.ts'
import { type AgentRequest, jsonRpc, writeAnswer, writeJson } from './write-answer.ts'

type Agent = Omit<Call, 'scene' | 'params'> & { readonly messageBytes: number }

export function createHandler(agent: Agent): HttpHandler {
  return async (request, bare) => {
    const reply = writtenReply(agent.stage, bare)
    const page = checkPage(request, agent.url)
    if (!page.ok) return refuse(agent, request, reply, page.error, 403)
    const restful = asksModern(request) ? readRest(request, agent.messageBytes) : undefined
    if (restful !== undefined) return answerRest(agent, restful, request, reply)
    if (request.method === 'POST') return answerPost(agent, request, reply)
    const [path = ''] = request.target.split('?')
    const isCard = cardPaths.some((card) => path.endsWith(card))
    if (request.method !== 'GET') return refuse(agent, request, reply, NO_REQUEST, 405)
    if (path.endsWith(KEYS_PATH) && asksSignature(agent.stage.scene()))
      return receive(agent, KEYS_METHOD, {}, request, reply, (scene) =>
        writeJson(requestTo(agent, scene, KEYS_METHOD, request, reply), keySet(agent.stage, scene) ?? { keys: [] }),
      )
    if (!isCard) return refuse(agent, request, reply, NO_REQUEST, 404)
    await receive(agent, CARD_METHOD, {}, request, reply, (scene) => {
      const card = agentCardOf(agent.stage, scene, agent.url, {}, asksModern(request))
      return writeJson(requestTo(agent, scene, CARD_METHOD, request, reply), card)
    })
  }
}

async function answerPost(agent: Agent, request: HttpRequest, reply: HttpReply): Promise<void> {
  const { stage } = agent
  const { text, fault } = requestText(request)
  const message = readMessage(text, agent.messageBytes, fault)
  const isPush = message.kind === 'malformed' && readRest(request, agent.messageBytes) === undefined
  const pushed = isPush ? readPush(text, agent.messageBytes, fault) : undefined
  // Any client may send push notifications to the actor's address.
  if (pushed !== undefined) return receive(agent, PUSH_SURFACE, pushed, request, reply, () => sendEmpty(reply, 200))
  if (message.kind === 'malformed' || message.kind === 'batch')
    return answerMalformed(agent, text, message, requestTo(agent, stage.scene(), '', request, reply))
  if (message.kind === 'response') {
    const { content } = message
    stage.record(stage.scene(), { direction: 'response', flow: 'in', surface: '', content })
    stage.report('reply-unexpected', 'received a response, but no request was sent')
    return sendEmpty(reply, 204)
  }
  const modern = asksModern(request) ? olderRequest(message.method, message.params) : undefined
  if (modern !== undefined) reportModern(stage)
  const { method, params } = modern ?? message
  const change = modern && ((result: Value) => modernResult(method, result))
  await receive(agent, method, params, request, reply, (scene) => {
    const fullParams = agent.stage.withHeaders(params, request.headers)
    const answer = answerMethod(method, { ...agent, scene, params: fullParams, isModern: modern !== undefined })
    if (message.kind === 'notification') return sendEmpty(reply, 204)
    return writeAnswer(requestTo(agent, scene, method, request, reply), jsonRpc(message.id, 200, change), answer)
  })
}

async function answerRest(
  agent: Agent,
  { method, params, fault }: RestRequest,
  request: HttpRequest,
  reply: HttpReply,
): Promise<void> {
  if (fault !== undefined) return refuse(agent, request, reply, fault, 400)
  reportModern(agent.stage)
  await receive(agent, method, params, request, reply, (scene) =>
    writeAnswer(
      requestTo(agent, scene, method, request, reply),
      rest(method),
      answerMethod(method, { ...agent, scene, params, isModern: true }),
    ),
  )
}

function reportModern({ actor, report }: Stage): void {
  report('prompt-changed', `${actor} received A2A 1.0 requests; its responses were translated from 0.3`)
}

function receive(
  { stage }: Agent,
  surface: string,
  content: Value,
  { headers }: HttpRequest,
  reply: HttpReply,
  answer: (scene: Scene) => Promise<void>,
): Promise<void> {
  return stage.receive({ direction: 'request', surface, content, headers }, async (scene) => {
    try {
      await answer(scene)
    } catch (thrown) {
      reply.destroy()
      throw thrown
    }
  })
}

async function answerMalformed(
  { stage }: Agent,
  text: string,
  message: JsonRpcMalformed | JsonRpcBatch,
  request: AgentRequest,
): Promise<void> {
  const { reason, code, id } = message.kind === 'batch' ? batch : message
  keepMalformed(stage, text, reason)
  const words = code === jsonRpcCodes.parseError ? 'Invalid JSON payload' : 'Request payload validation error'
  await writeAnswer(request, jsonRpc(id, 400), failure(code, words))
}

const KEYS_METHOD = 'agent_card/keys'

const batch = { reason: 'A2A does not support batches', code: jsonRpcCodes.invalidRequest, id: null }

const NO_REQUEST = 'not an A2A request'

async function refuse(
  { stage }: Agent,
  request: HttpRequest,
  reply: HttpReply,
  reason: string,
  status: number,
): Promise<void> {
  const line = `${request.method} ${request.target}`
  if (status !== 403 && isProbe(request)) stage.report('request-refused', `${line}: ${reason}`)
  else keepMalformed(stage, `${line}\n${requestText(request).text}`.trimEnd(), reason)
  await sendEmpty(reply, status, status === 405 ? { allow: 'GET, POST' } : {})
}

/** Paths that clients and monitors probe, at the root or below a gateway slot. */
const probed = new RegExp(
  '^/(?:a2a/\\d+/?)?(?:favicon\\.ico|robots\\.txt|healthz?|\\.well-known/' +
    '(?:agent(?:-card)?\\.json|oauth-protected-resource|oauth-authorization-server|openid-configuration))?$',
)

/** True for a probe: a request with neither a message nor other content that an indicator could match. */
function isProbe({ method, target, body }: HttpRequest): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method) && probed.test(target) && body.length === 0
}

function keepMalformed(stage: Stage, text: string, reason: string): void {
  recordMalformed(stage, { direction: 'request' }, text, reason, `malformed message: ${reason}`)
}

function requestTo({ stage }: Agent, scene: Scene, surface: string, request: HttpRequest, reply: HttpReply) {
  return { stage, scene, surface, request, reply }
}
