/**
 * The methods of an MCP server, one row each. Methods about tasks are in `drivers/mcp/tasks.ts`, new methods of
 * 2026-07-28 in `modern.ts`; all others are unknown (−32601).
 */
import type { ResponseEntry } from '@joust/oatf'
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { failure, jsonRpcCodes } from '../../json-rpc.ts'
import { type Call, type CallAnswer, filledResult, initialize, type Method, type PriorMessage } from '../call.ts'
import { findDefinition, type ListKey, listed } from '../definitions.ts'
import { readResource } from './resources.ts'

/** The answer to requests that are only acknowledged. */
const done: Method = () => ({ result: {} })

const list =
  (name: string, key: ListKey): Method =>
  (call) =>
    filledResult(call, { [name]: listed(call, key) })

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', done],
  ['tools/list', list('tools', 'tools')],
  ['tools/call', callTool],
  ['resources/list', list('resources', 'resources')],
  ['resources/templates/list', list('resourceTemplates', 'resource_templates')],
  ['resources/read', readResource],
  ['resources/subscribe', done],
  ['resources/unsubscribe', done],
  ['prompts/list', list('prompts', 'prompts')],
  ['prompts/get', getPrompt],
  ['completion/complete', () => ({ result: { completion: { values: [], total: 0, hasMore: false } } })],
  ['logging/setLevel', done],
])

/**
 * Answers a tool call with the selected dispatch entry, sent as written
 * ([OATF §7.0.1](https://oatf.io/specification/protocol-bindings/), §7.0.3).
 */
function callTool(call: Call): Promise<CallAnswer> {
  return dispatch(call, 'tools', 'tool', (content) => {
    if (content === undefined) return { result: { content: [] } }
    return filledResult(call, isList(content) && !call.stage.verbatim ? { content } : content)
  })
}

/** Answers with the messages of the selected dispatch entry, sent as written (OATF §7.1.4). */
function getPrompt(call: Call): Promise<CallAnswer> {
  return dispatch(call, 'prompts', 'prompt', (content, entry, { description }) => {
    const messages = own(entry, 'messages')
    if (messages === undefined && content !== undefined && !isList(content)) return filledResult(call, content)
    const described = description === undefined || call.stage.verbatim ? {} : { description }
    return filledResult(call, { ...described, messages: messages ?? content ?? [] })
  })
}

/** Finds the named definition, sends the messages before its answer, and answers from the selected entry. */
async function dispatch(
  call: Call,
  key: 'tools' | 'prompts',
  noun: string,
  answer: (content: Value | undefined, entry: ResponseEntry | undefined, definition: ValueRecord) => CallAnswer,
): Promise<CallAnswer> {
  const name = own(call.params, 'name')
  const definition = findDefinition(call, key, 'name', name)
  if (definition === undefined) return failure(jsonRpcCodes.invalidParams, `Unknown ${noun}: ${String(name)}`)
  const entry = call.stage.choose(definition.value.responses, call.params, `${definition.path}.responses`)
  const unfinished = await call.interlude([...elicitations(call), ...during(call, entry, definition.path)])
  return unfinished ?? answer(entry?.content, entry, definition.value)
}

/** The elicitations whose condition holds for the request. */
function elicitations(call: Call): PriorMessage[] {
  const list = own(call.state, 'elicitations')
  if (list === undefined) return []
  if (!isList(list)) {
    call.stage.report('state-malformed', 'elicitations is not a list, so none was sent', 'elicitations')
    return []
  }
  return list
    .filter(isRecord)
    .filter((elicitation) => call.stage.holds(own(elicitation, 'when'), call.params))
    .map((elicitation) => ({ method: 'elicitation/create', params: () => elicitationParams(call, elicitation) }))
}

/**
 * The extension `x-joust-during: [{ send: { method, params } }]` in a response entry of a tool or prompt. Its messages
 * are sent in order on the stream of the request, before the answer; requests wait for their reply. Templates may refer
 * to the request. `notifications/progress` without a `progressToken` gets that of the request, because templates only
 * produce strings, and is skipped when the request has none.
 */
function during(call: Call, entry: ResponseEntry | undefined, path: string): PriorMessage[] {
  const steps = entry?.['x-joust-during']
  if (steps === undefined) return []
  const malformed = (what: string) =>
    call.stage.report('state-malformed', `x-joust-during: ${what}`, `${path}.responses`)
  if (!isList(steps)) {
    malformed('not a list')
    return []
  }
  return steps.flatMap((step) => {
    const message = own(step, 'send')
    const method = own(message, 'method')
    if (!isRecord(message) || typeof method !== 'string') {
      malformed('step without send.method')
      return []
    }
    return [{ method, params: () => duringParams(call, method, own(message, 'params')) }]
  })
}

function duringParams(call: Call, method: string, params: Value = {}): Value | undefined {
  const filled = call.fill(params)
  if (method !== 'notifications/progress' || !isRecord(filled) || own(filled, 'progressToken') !== undefined)
    return filled
  const progressToken = own(own(call.params, '_meta'), 'progressToken')
  return progressToken === undefined ? undefined : { progressToken, ...filled }
}

/** The params of an elicitation: the fields of its mode, and all unknown fields. */
function elicitationParams({ fill, newId, stage }: Call, elicitation: ValueRecord): Value {
  const { when: _, ...written } = elicitation
  const filled = fill({ mode: 'form', ...written })
  if (!isRecord(filled)) return filled
  const { url: _url, elicitationId, ...form } = filled
  if (filled.mode === 'form') return stage.verbatim ? filled : form
  if (filled.mode !== 'url') return filled
  const { requestedSchema: _schema, ...page } = filled
  const sent = stage.verbatim ? filled : page
  return elicitationId === undefined ? { ...sent, elicitationId: newId() } : sent
}
