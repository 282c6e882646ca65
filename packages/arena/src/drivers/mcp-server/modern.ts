/** MCP 2026-07-28, set by the document or requested by the peer: no handshake, sessions or server requests. */

import { isRecord, kindOf, own, type Value } from '@joust/source'
import { failure, jsonRpcCodes } from '../json-rpc.ts'
import { META, RESOURCE_NOT_FOUND } from '../mcp/protocol.ts'
import { type Call, type CallAnswer, filledResult, type Method, serverIdentity, unknownMethod } from './call.ts'
import { methods } from './methods/table.ts'
import { realGreeting } from './real.ts'
import { withSubscription } from './subscriptions.ts'

const CACHE = 'x-joust-cache'

const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

export async function respondModern(call: Call): Promise<CallAnswer> {
  const method = modernMethods.get(call.method) ?? methods.get(call.method) ?? unknownMethod
  const answer = await method(call)
  if (answer === 'open') return answer
  if ('error' in answer) return own(answer.error, 'code') === RESOURCE_NOT_FOUND ? notFound(call) : answer
  // A result from a real server in this version is complete.
  const isComplete = answer.json !== undefined && isRecord(answer.result) && 'resultType' in answer.result
  if (!isRecord(answer.result) || isComplete) return answer
  return { result: { resultType: 'complete', ...cacheOf(call), ...answer.result } }
}

const modernMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['server/discover', discover],
  ['subscriptions/listen', listen],
  ['initialize', unknownMethod],
  ['ping', unknownMethod],
  ['logging/setLevel', unknownMethod],
  ['resources/subscribe', unknownMethod],
  ['resources/unsubscribe', unknownMethod],
])

/** The state extension `x-joust-cache: { ttlMs, cacheScope }` overrides the defaults. */
function cacheOf({ method, state, fill, stage }: Call): Record<string, Value> {
  if (!CACHEABLE.has(method)) return {}
  const written = fill(own(state, CACHE) ?? {})
  if (!isRecord(written)) stage.report('state-malformed', `${CACHE}: expected a mapping, got ${kindOf(written)}`, CACHE)
  return { ttlMs: 0, cacheScope: 'private', ...(isRecord(written) && written) }
}

function notFound({ params }: Call): CallAnswer {
  const uri = own(params, 'uri') ?? null
  return failure(jsonRpcCodes.invalidParams, `Resource not found: ${String(uri)}`, { uri })
}

async function discover(call: Call): Promise<CallAnswer> {
  const greeting = await realGreeting(call)
  if (greeting !== undefined && greeting !== 'open' && 'result' in greeting && isRecord(greeting.result)) {
    const { protocolVersion: _, serverInfo: info, ...rest } = greeting.result
    const _meta = { [`${META}serverInfo`]: info ?? null }
    const supportedVersions = [serverIdentity(call).version]
    return { result: { ...(info !== undefined && { _meta }), ...rest, supportedVersions } }
  }
  const { version, serverInfo, ...rest } = serverIdentity(call)
  const _meta = { [`${META}serverInfo`]: serverInfo }
  return filledResult(call, { supportedVersions: [version], ...rest, _meta })
}

/** The stream stays open until the server stops. */
async function listen(call: Call): Promise<CallAnswer> {
  const notifications = own(call.params, 'notifications') ?? {}
  const params = withSubscription({ id: call.id, filter: notifications }, { notifications })
  await call.interlude([{ method: 'notifications/subscriptions/acknowledged', params: () => params }])
  return 'open'
}

export function isUnwantedLog(method: string, params: Value): boolean {
  return method === 'notifications/message' && own(own(params, '_meta'), `${META}logLevel`) === undefined
}
