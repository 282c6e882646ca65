/** The methods of an MCP server; task methods are in `drivers/mcp/tasks.ts`, new methods in `modern.ts`. */
import { blocksOf, OVERLAY, type Overlay, overlayOf, type ResponseEntry } from '@joust/oatf'
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { failure, jsonRpcCodes } from '../../json-rpc.ts'
import { type Call, type CallAnswer, filledResult, type Method, type PriorMessage, serverIdentity } from '../call.ts'
import { findDefinition, type ListKey, listed } from '../definitions.ts'
import { inSchema, layOver } from '../overlay.ts'
import { realCall, realGreeting, realList, realRead } from '../real.ts'
import { readResource } from './resources.ts'

const done: Method = () => ({ result: {} })

const passed: Method = async (call) => (await realRead(call)) ?? done(call)

const list =
  (name: string, key: ListKey): Method =>
  async (call) =>
    (await realList(call, name, key)) ?? filledResult(call, { [name]: listed(call, key) })

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', done],
  ['tools/list', list('tools', 'tools')],
  ['tools/call', callTool],
  ['resources/list', list('resources', 'resources')],
  ['resources/templates/list', list('resourceTemplates', 'resource_templates')],
  ['resources/read', readResource],
  ['resources/subscribe', passed],
  ['resources/unsubscribe', passed],
  ['prompts/list', list('prompts', 'prompts')],
  ['prompts/get', getPrompt],
  ['completion/complete', () => ({ result: { completion: { values: [], total: 0, hasMore: false } } })],
  ['logging/setLevel', passed],
])

/** Uses the document's version, regardless of the requested one. An overlaid real server's result takes precedence. */
async function initialize(call: Call): Promise<CallAnswer> {
  const greeting = await realGreeting(call)
  if (greeting !== undefined) return greeting
  const { version, ...rest } = serverIdentity(call)
  return filledResult(call, { protocolVersion: version, ...rest })
}

/** Sends the selected entry as written ([OATF §7.0.1](https://oatf.io/specification/protocol-bindings/), §7.0.3). */
function callTool(call: Call): Promise<CallAnswer> {
  const { real } = call
  const name = String(own(call.params, 'name'))
  return dispatch(call, 'tools', 'tool', (content, entry, definition, path) => {
    const isReal = real?.side.tool(name) !== undefined
    // A document may change only a real tool's definition, or only some of its responses.
    if (isReal && entry === undefined) return real.side.call(name, real.request)
    const overlay = overlayOf(own(entry as Value, OVERLAY))
    if (!overlay.ok) call.stage.report('state-malformed', `x-joust-overlay: ${overlay.error}`, path)
    if (isReal && overlay.ok && overlay.value !== undefined) {
      const lay = layingOf(call, blocksOf(content), overlay.value, path)
      return real.side.call(name, real.request, lay)
    }
    if (isReal) real.side.answeredByDocument(name)
    const written = content === undefined ? [] : content
    const answer = filledResult(call, isList(written) && !call.stage.verbatim ? { content: written } : written)
    if (!isReal || answer === 'open' || !('result' in answer)) return answer
    const schema = own(definition, 'outputSchema') ?? real.side.tool(name)?.outputSchema
    if (call.stage.verbatim) return answer
    return { result: inSchema(answer.result, schema, (one) => real.side.harmless(name, one)) }
  })
}

/** Sends the messages of the selected dispatch entry as written (OATF §7.1.4). */
function getPrompt(call: Call): Promise<CallAnswer> {
  return dispatch(call, 'prompts', 'prompt', (content, entry, { description }) => {
    const messages = own(entry, 'messages')
    if (messages === undefined && content !== undefined && !isList(content)) return filledResult(call, content)
    const described = description === undefined || call.stage.verbatim ? {} : { description }
    return filledResult(call, { ...described, messages: messages ?? content ?? [] })
  })
}

async function dispatch(
  call: Call,
  key: 'tools' | 'prompts',
  noun: string,
  answer: (
    content: Value | undefined,
    entry: ResponseEntry | undefined,
    definition: ValueRecord,
    path: string,
  ) => CallAnswer | Promise<CallAnswer>,
): Promise<CallAnswer> {
  const name = own(call.params, 'name')
  const definition = findDefinition(call, key, 'name', name)
  if (definition === undefined) {
    const reply = await (key === 'tools' ? realCall(call) : realRead(call))
    return reply ?? failure(jsonRpcCodes.invalidParams, `Unknown ${noun}: ${String(name)}`)
  }
  const entry = call.stage.choose(definition.value.responses, call.params, `${definition.path}.responses`)
  const unfinished = await call.interlude([...elicitations(call), ...during(call, entry, definition.path)])
  return unfinished ?? answer(entry?.content, entry, definition.value, `${definition.path}.responses`)
}

function layingOf(call: Call, blocks: readonly Value[], overlay: Overlay, path: string) {
  return (result: Value): Value | undefined => {
    const filled = call.fill([...blocks], result)
    const laid = layOver(result, isList(filled) ? filled : [], overlay)
    if (laid === undefined)
      call.stage.report('overlay-misplaced', 'the real response has no such field, so it was passed on unchanged', path)
    return laid
  }
}

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
 * are sent in order on the request's stream, before the response; requests wait for their reply. Templates may refer to
 * the request. `notifications/progress` without a `progressToken` gets the request's token, because templates only
 * produce strings, and is skipped if the request has no token.
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

/** Keeps the fields of the mode and all unknown fields. */
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
