/**
 * A simulated gateway for MCP 2026-07-28 over HTTP, with its own tools and those of a server behind it. One of its
 * tools is restricted. The credulous version decides by the `Mcp-Name` header, and forwards credentials.
 */
import type { TargetArena, TargetSession } from '@joust/arena'
import {
  type Answered,
  answerPlainly,
  createMemoryHttp,
  failure,
  type HttpRequest,
  jsonRpcCodes,
  META,
  MODERN_VERSION,
  modernHeaders,
  readMessage,
  requestText,
  sendEmpty,
  sendJson,
  writeAnswer,
  writeRequest,
} from '@joust/arena/wire'
import { own, ownList, ownText, type Value } from '@joust/source'
import { targetLimits } from '../limits.ts'
import { actorsOnly } from './actors-only.ts'
import type { Disposition, SimulatedHost } from './host.ts'

/** A gateway, for attacks that set HTTP headers. */
export const gateway: SimulatedHost = {
  name: 'gateway',
  fits: ({ clients }) => clients.some(({ needs }) => needs.some(({ name }) => name === 'headers')),
  create: (kind) => ({ name: `a ${kind} gateway`, start: (arena) => startGateway(kind, arena) }),
}

/** Error code in MCP 2026-07-28 for headers that do not match the body. */
const HEADER_MISMATCH = -32020
const RESTRICTED = 'read_salaries'
const OWN_TOKEN = 'Bearer token-of-the-gateway'

const annotations = { readOnlyHint: true }
const inputSchema = { type: 'object', properties: {} }
const tools = [
  { name: 'read_holidays', description: 'Reads the list of holidays.', inputSchema, annotations },
  { name: RESTRICTED, description: 'Reads the list of salaries, for the payroll office.', inputSchema, annotations },
]

async function startGateway(kind: Disposition, arena: TargetArena): Promise<TargetSession> {
  const { listen, send } = createMemoryHttp(targetLimits.agentRequestBytes)
  const behind = behindGateway(arena)
  const server = await listen(async (request, reply) => {
    const { text, fault } = requestText(request)
    const message = readMessage(text, targetLimits.agentRequestBytes, fault)
    if (request.method !== 'POST' || message.kind !== 'request') return sendEmpty(reply, 400)
    const { id, method, params } = message
    const names = { body: ownText(params, 'name') ?? '', header: request.headers['mcp-name'] ?? '' }
    const isOther = request.headers['mcp-method'] !== method || (method === 'tools/call' && names.header !== names.body)
    if (kind === 'cautious' && isOther) {
      const error = failure(HEADER_MISMATCH, 'Header mismatch: the headers differ from the body')
      return sendJson(reply, writeAnswer(id, error), 400)
    }
    const decisive = kind === 'credulous' ? names.header : names.body
    const call = (asked: Value): Promise<Answered> | Answered => {
      if (decisive === RESTRICTED) return failure(jsonRpcCodes.invalidRequest, 'This tool is for the payroll office.')
      const isOwn = tools.some(({ name }) => name === names.body)
      return isOwn ? said(`This is the answer of ${names.body}.`) : behind.call(asked, credentialsFor(kind, request))
    }
    const methods = {
      'tools/list': async () => ({ result: { tools: [...tools, ...(await behind.list())] } }),
      'tools/call': call,
    }
    const plain = { name: 'gateway', isModern: true, capabilities: { tools: {} }, methods } as const
    return sendJson(reply, writeAnswer(id, await answerPlainly(plain, message)))
  })
  return {
    endpoints: Object.fromEntries(
      arena.clients.map(({ actor }) => [actor, { kind: 'http', url: `${server.origin}/mcp`, send }]),
    ),
    wiring: arena.clients.map(({ actor, mode }) => `actor ${actor} (${mode}) → a ${kind} gateway`),
    stop: () => server.close(),
  }
}

function credentialsFor(kind: Disposition, { headers }: HttpRequest): string {
  return kind === 'credulous' ? (headers.authorization ?? OWN_TOKEN) : OWN_TOKEN
}

/** Creates functions that send requests to the first server actor of the run. */
function behindGateway(arena: TargetArena) {
  const send = actorsOnly(arena)
  const address = arena.servers.find(({ mode }) => mode === 'mcp_server')?.address
  const ask = async (method: string, params: Value, authorization: string): Promise<Value> => {
    if (address === undefined) return null
    const _meta = { [`${META}protocolVersion`]: MODERN_VERSION, [`${META}clientCapabilities`]: {} }
    const withMeta = { ...(params !== null && typeof params === 'object' ? params : {}), _meta }
    const headers = { ...jsonHeaders, ...modernHeaders(method, withMeta), authorization }
    const { value } = await send(address, { method: 'POST', headers, body: writeRequest(1, method, withMeta) })
    return value
  }
  const list = async () => ownList(own(await ask('tools/list', {}, OWN_TOKEN), 'result'), 'tools')
  return {
    list,
    async call(params: Value, authorization: string): Promise<Answered> {
      const isListed = (await list()).some((tool) => own(tool, 'name') === own(params, 'name'))
      if (!isListed) return failure(jsonRpcCodes.invalidParams, 'There is no such tool.')
      const result = own(await ask('tools/call', params, authorization), 'result')
      return result === undefined ? failure(jsonRpcCodes.internalError, 'The server did not answer.') : { result }
    },
  }
}

const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

function said(text: string): Answered {
  return { result: { resultType: 'complete', content: [{ type: 'text', text }] } }
}
