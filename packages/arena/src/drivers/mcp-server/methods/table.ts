/**
 * The methods of an MCP server, one row each. Those about tasks are in `drivers/mcp/tasks.ts`, those of 2026-07-28 alone
 * in `modern.ts`; any other is unknown (−32601).
 */
import type { ResponseEntry } from '@joust/oatf'
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { failure, jsonRpcCodes } from '../../json-rpc.ts'
import { type Call, type CallAnswer, filledResult, type Interlude, initialize, type Method } from '../call.ts'
import { findDefinition, type ListKey, listed } from '../definitions.ts'
import { readResource } from './resources.ts'

/** For requests that are merely acknowledged. */
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

/** Calls a tool: the dispatch entry that answers, sent as written (§7.0.1, §7.0.3). */
function callTool(call: Call): Promise<CallAnswer> {
  return dispatch(call, 'tools', 'tool', (content) => {
    if (content === undefined) return { result: { content: [] } }
    return filledResult(call, isList(content) && !call.stage.verbatim ? { content } : content)
  })
}

/** Gets a prompt: the messages of the dispatch entry that answers, sent as written (§7.1.4). */
function getPrompt(call: Call): Promise<CallAnswer> {
  return dispatch(call, 'prompts', 'prompt', (content, entry, { description }) => {
    const messages = own(entry, 'messages')
    if (messages === undefined && content !== undefined && !isList(content)) return filledResult(call, content)
    const described = description === undefined || call.stage.verbatim ? {} : { description }
    return filledResult(call, { ...described, messages: messages ?? content ?? [] })
  })
}

/** Finds what a call names, sends what comes before its answer, and answers from the chosen entry. */
async function dispatch(
  call: Call,
  key: 'tools' | 'prompts',
  noun: string,
  answer: (content: Value | undefined, entry: ResponseEntry | undefined, definition: ValueRecord) => CallAnswer,
): Promise<CallAnswer> {
  const name = own(call.params, 'name')
  const found = findDefinition(call, key, 'name', name)
  if (found === undefined) return failure(jsonRpcCodes.invalidParams, `Unknown ${noun}: ${String(name)}`)
  const entry = call.stage.choose(found.value.responses, call.params, `${found.path}.responses`)
  const unfinished = await call.interlude([...elicitations(call), ...during(call, entry, found.path)])
  return unfinished ?? answer(entry?.content, entry, found.value)
}

/** The elicitations whose condition holds for the request. */
function elicitations(call: Call): Interlude[] {
  const list = own(call.state, 'elicitations')
  if (list === undefined) return []
  if (!isList(list)) {
    call.stage.report('state-malformed', 'elicitations is not a list, so none is sent', 'elicitations')
    return []
  }
  return list
    .filter(isRecord)
    .filter((elicitation) => call.stage.holds(own(elicitation, 'when'), call.params))
    .map((elicitation) => ({ method: 'elicitation/create', params: () => elicitationParams(call, elicitation) }))
}

/**
 * Our extension: `x-joust-during: [{ send: { method, params } }]` in a response entry of a tool or prompt. The messages
 * are sent in order on the stream of the request before its answer; those that have a reply are waited for. Templates
 * see the request. Templates make strings, and a progress token may be a number: `notifications/progress` without a
 * `progressToken` gets the one of the request, and is left out when the request has none.
 */
function during(call: Call, entry: ResponseEntry | undefined, path: string): Interlude[] {
  const steps = entry?.['x-joust-during']
  if (steps === undefined) return []
  const malformed = (what: string) =>
    call.stage.report('state-malformed', `x-joust-during: ${what}`, `${path}.responses`)
  if (!isList(steps)) {
    malformed('it is not a list')
    return []
  }
  return steps.flatMap((step) => {
    const message = own(step, 'send')
    const method = own(message, 'method')
    if (!isRecord(message) || typeof method !== 'string') {
      malformed('a step that does not send a method')
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

/** What goes over the wire: the fields of the mode, and whatever else is written. */
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
