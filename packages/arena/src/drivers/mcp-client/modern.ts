/** MCP 2026-07-28: no handshake or session. Every request identifies the client; server requests are results. */

import { isRecord, own, ownList, ownText, setOwn, type Value, type ValueRecord } from '@joust/source'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'
import type { Entry, Scene, Stage } from '../driver.ts'
import { contentOf } from '../json-rpc.ts'
import { encodeHeader, paramHeaders } from '../mcp/param-headers.ts'
import { META, MODERN_VERSION, nameFields, VERSION_HEADER } from '../mcp/protocol.ts'
import type { Caller, Shape } from './caller.ts'
import type { Reply } from './correlate.ts'
import { answerOf, clientIdentity } from './handshake.ts'

/** Schemas of listed tools by name; tool parameters may be repeated in headers. */
export type ToolSchemas = Map<Value, Value>

export function noteTools(schemas: ToolSchemas, method: string, content: Value): void {
  if (method !== 'tools/list') return
  for (const tool of ownList(content, 'tools')) {
    const name = ownText(tool, 'name')
    if (name !== undefined) schemas.set(name, own(tool, 'inputSchema') ?? {})
  }
  forgetOldest(schemas, arenaLimits.mcpToolSchemas)
}

/** Metadata in the document takes precedence. */
export function modernShape(stage: Stage, schemas: ToolSchemas): Shape {
  return (method, written, scene, isRequest) => {
    const params = isRequest ? withMeta(stage, scene, written) : written
    const version = isRequest ? own(own(params, '_meta'), `${META}protocolVersion`) : undefined
    const schema = method === 'tools/call' ? schemas.get(own(params, 'name') ?? null) : undefined
    const headers = { ...modernHeaders(method, params, version), ...paramHeaders(schema, own(params, 'arguments')) }
    return { params, headers }
  }
}

/** Returns the HTTP headers that repeat the version, method and name of a message. */
export function modernHeaders(
  method: string,
  params: Value | undefined,
  version: Value = MODERN_VERSION,
): Record<string, string> {
  const field = nameFields.get(method)
  return {
    ...header(VERSION_HEADER, version),
    ...header('mcp-method', method),
    ...header('mcp-name', field !== undefined && own(params ?? null, field)),
  }
}

function withMeta(stage: Stage, scene: Scene, written: Value | undefined): Value | undefined {
  const params = written === undefined ? {} : written
  const meta = isRecord(params) ? (own(params, '_meta') ?? {}) : undefined
  if (!isRecord(params) || !isRecord(meta)) return written
  const { version, info, capabilities } = clientIdentity(stage, scene, MODERN_VERSION)
  return {
    ...params,
    _meta: {
      [`${META}protocolVersion`]: version,
      [`${META}clientInfo`]: info,
      [`${META}clientCapabilities`]: capabilities,
      ...meta,
    },
  }
}

function header(name: string, value: Value | undefined): Record<string, string> {
  return typeof value === 'string' ? { [name]: encodeHeader(value) } : {}
}

/** Responds to the input requests in a result by repeating the call until the result is complete. */
export async function answerQuestions(
  stage: Stage,
  caller: Caller,
  { method, params, headers }: Entry,
  scene: Scene,
  first: Reply,
): Promise<Reply> {
  let reply = first
  for (let round = 0; round < arenaLimits.mcpRounds; round++) {
    const more = await inputFor(stage, reply)
    if (more === undefined) return reply
    const again = isRecord(params) ? { ...params, ...more } : more
    reply = await (await caller.request(method, again, scene, headers)).reply
  }
  return inputRequired(reply) !== undefined
    ? { kind: 'missing', reason: `the server still requests input after ${arenaLimits.mcpRounds} rounds` }
    : reply
}

function inputRequired(reply: Reply): ValueRecord | undefined {
  if (reply.kind !== 'answered' || reply.failed || !isRecord(reply.content)) return undefined
  return own(reply.content, 'resultType') === 'input_required' ? reply.content : undefined
}

/** Returns undefined if the call need not be repeated. */
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

/** Like a server request in earlier versions, an input request is an event. Returns undefined for a refusal. */
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
