/** MCP 2026-07-28: no handshake and no session; every request identifies the client, and server requests are results. */

import { base64Of, isRecord, own, ownText, setOwn, type Value, type ValueRecord } from '@joust/source'
import { arenaLimits } from '../../model/limits.ts'
import type { Scene, Stage } from '../driver.ts'
import { contentOf } from '../json-rpc.ts'
import { META, MODERN_VERSION } from '../mcp/protocol.ts'
import type { Caller, Shape } from './caller.ts'
import type { Reply } from './correlate.ts'
import { answerOf, clientIdentity } from './handshake.ts'

/** The field of the params that is repeated in the header `Mcp-Name`. */
const nameFields = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** Adds the metadata and headers of a request. Metadata of the document takes precedence. */
export function modernShape(stage: Stage): Shape {
  return (method, written, scene, isRequest) => {
    const params = isRequest ? withMeta(stage, scene, written) : written
    const version = isRequest ? own(own(params, '_meta'), `${META}protocolVersion`) : undefined
    return { params, headers: modernHeaders(method, params, version) }
  }
}

/** The HTTP headers of a message, which repeat its version, method and name. */
export function modernHeaders(
  method: string,
  params: Value | undefined,
  version: Value = MODERN_VERSION,
): Record<string, string> {
  const field = nameFields.get(method)
  return {
    ...header('mcp-protocol-version', version),
    ...header('mcp-method', method),
    ...header('mcp-name', field !== undefined && own(params ?? null, field)),
  }
}

function withMeta(stage: Stage, scene: Scene, written: Value | undefined): Value | undefined {
  const params = written === undefined ? {} : written
  const meta = isRecord(params) ? (own(params, '_meta') ?? {}) : undefined
  if (!isRecord(params) || !isRecord(meta)) return written
  const { version, info, capabilities } = clientIdentity(stage, scene)
  const hasVersion = isRecord(scene.state) && Object.hasOwn(scene.state, 'protocol_version')
  return {
    ...params,
    _meta: {
      [`${META}protocolVersion`]: hasVersion ? version : MODERN_VERSION,
      [`${META}clientInfo`]: info,
      [`${META}clientCapabilities`]: capabilities,
      ...meta,
    },
  }
}

/** A header; text that is not a valid header value is encoded as base64, as MCP defines. */
function header(name: string, value: Value | undefined): Record<string, string> {
  if (typeof value !== 'string') return {}
  const isPlain = /^[\t\x20-\x7e]+$/.test(value) && value === value.trim() && !/^=\?base64\?.*\?=$/.test(value)
  if (isPlain) return { [name]: value }
  return { [name]: `=?base64?${base64Of(new TextEncoder().encode(value))}?=` }
}

/** Answers the input requests of a result by repeating the call, until the result is complete. */
export async function answerQuestions(
  stage: Stage,
  caller: Caller,
  method: string,
  params: Value | undefined,
  scene: Scene,
  first: Reply,
): Promise<Reply> {
  let reply = first
  for (let round = 0; round < arenaLimits.mcpRounds; round++) {
    const more = await inputFor(stage, reply)
    if (more === undefined) return reply
    const again = isRecord(params) ? { ...params, ...more } : more
    reply = await (await caller.request(method, again, scene)).reply
  }
  return inputRequired(reply) !== undefined
    ? { kind: 'missing', reason: `the server still requests input after ${arenaLimits.mcpRounds} rounds` }
    : reply
}

function inputRequired(reply: Reply): ValueRecord | undefined {
  if (reply.kind !== 'answered' || reply.failed || !isRecord(reply.content)) return undefined
  return own(reply.content, 'resultType') === 'input_required' ? reply.content : undefined
}

/** The additional params of the repeated call; undefined when no repetition is needed. */
async function inputFor(stage: Stage, reply: Reply): Promise<ValueRecord | undefined> {
  const result = inputRequired(reply)
  if (result === undefined) return undefined
  const requests = own(result, 'inputRequests')
  const inputResponses: ValueRecord = {}
  for (const [key, request] of Object.entries(isRecord(requests) ? requests : {})) {
    const answer = await answerOne(stage, request)
    if (answer !== undefined) setOwn(inputResponses, key, answer)
  }
  const requestState = own(result, 'requestState')
  const hasResponses = Object.keys(inputResponses).length > 0
  if (!hasResponses && requestState === undefined) return undefined
  return { ...(hasResponses && { inputResponses }), ...(requestState !== undefined && { requestState }) }
}

/** Answers one input request, which is an event like the server request of earlier versions. Undefined for a refusal. */
async function answerOne(stage: Stage, request: Value): Promise<Value | undefined> {
  const method = ownText(request, 'method')
  if (method === undefined) {
    stage.report('message-malformed', 'input request without a method')
    return undefined
  }
  const written = own(request, 'params')
  const params = written === undefined ? {} : written
  let result: Value | undefined
  await stage.receive({ direction: 'request', surface: method, content: params }, async (scene) => {
    const { capabilities } = clientIdentity(stage, scene)
    const answer = answerOf(stage, scene, { method, params, capabilities })
    if ('result' in answer) result = answer.result
    stage.record(scene, { direction: 'response', flow: 'out', surface: method, content: contentOf(answer) })
  })
  return result
}
