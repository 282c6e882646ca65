/**
 * MCP 2026-07-28, for documents that set this version and peers that request it: no handshake, no sessions, no requests
 * of the server. Input requests are part of a result, and the client repeats its call with the replies.
 */

import { isRecord, own, type Value } from '@joust/source'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'
import type { DriverContext } from '../driver.ts'
import { META, MODERN_VERSION } from '../mcp/protocol.ts'
import {
  type Call,
  type CallAnswer,
  filledResult,
  type Interlude,
  type Method,
  serverIdentity,
  unknownMethod,
} from './call.ts'
import { methods } from './methods/table.ts'

/** Methods with cacheable results. */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

/** True when the document sets this version and the peer requests it. */
export function isModern(version: Value | undefined, params: Value): boolean {
  return version === MODERN_VERSION && own(own(params, '_meta'), `${META}protocolVersion`) === MODERN_VERSION
}

/** Answers a request of this version. */
export async function respondModern(call: Call): Promise<CallAnswer> {
  const method = modernMethods.get(call.method) ?? methods.get(call.method) ?? unknownMethod
  const answer = await method(call)
  if (answer === 'open' || !('result' in answer) || !isRecord(answer.result)) return answer
  const cache = CACHEABLE.has(call.method) ? { ttlMs: 0, cacheScope: 'private' } : {}
  return { result: { resultType: 'complete', ...cache, ...answer.result } }
}

const modernMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['server/discover', discover],
  ['subscriptions/listen', listen],
])

function discover(call: Call): CallAnswer {
  const { version, serverInfo, ...rest } = serverIdentity(call)
  const _meta = { [`${META}serverInfo`]: serverInfo }
  return filledResult(call, { supportedVersions: [version], ...rest, _meta })
}

/** Opens the stream for entry messages. It stays open until the server stops. */
async function listen(call: Call): Promise<CallAnswer> {
  const params = {
    notifications: own(call.params, 'notifications') ?? {},
    _meta: { [`${META}subscriptionId`]: call.id },
  }
  await call.interlude([{ method: 'notifications/subscriptions/acknowledged', params: () => params }])
  return 'open'
}

/** Sends input requests in a result, and receives the replies with the repeated call. */
export type Rounds = (
  call: Call,
  questions: readonly Interlude[],
  session: string | undefined,
) => Promise<CallAnswer | undefined>

/** The rounds of one actor. */
export function createRounds({ stage, newId }: DriverContext): Rounds {
  /** The methods of pending input requests, by request state and key. */
  const pending = new Map<Value, ReadonlyMap<string, string>>()

  return async (call, questions, session) => {
    const token = own(call.params, 'requestState') ?? null
    const replies = own(call.params, 'inputResponses')
    const expected = pending.get(token)
    if (expected !== undefined) {
      pending.delete(token)
      for (const [key, surface] of expected) {
        const content = own(replies, key)
        if (content === undefined) stage.report('reply-missing', `${surface}: no reply in the repeated call`)
        else await stage.receive({ direction: 'response', surface, content, session })
      }
      return undefined
    }
    if (replies !== undefined) stage.report('reply-unexpected', 'inputResponses without an input request')
    const requestState = newId()
    const inputRequests: Record<string, Value> = {}
    for (const [index, { method, params }] of questions.entries()) {
      const content = params() ?? {}
      stage.record(call.scene, { direction: 'request', flow: 'out', surface: method, content, session })
      inputRequests[`input-${index + 1}`] = { method, params: content }
    }
    pending.set(requestState, new Map(questions.map(({ method }, index) => [`input-${index + 1}`, method])))
    forgetOldest(pending, arenaLimits.mcpQuestions)
    return { result: { resultType: 'input_required', requestState, inputRequests } }
  }
}
