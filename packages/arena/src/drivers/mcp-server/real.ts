/**
 * Responses of an actor that overlays a real server: the document answers for the tools and resources that it defines,
 * and all other requests are passed on.
 */
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { defined, isList, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import type { RealReply } from '../../model/through.ts'
import { META, MODERN_VERSION } from '../mcp/protocol.ts'
import type { Call, CallAnswer } from './call.ts'
import { type ListKey, listed } from './definitions.ts'

/** State keys, and the fields of the real server's handshake result that they replace. */
const IDENTITY = [
  ['protocol_version', 'protocolVersion'],
  ['server_info', 'serverInfo'],
  ['instructions', 'instructions'],
] as const

/** Capabilities whose methods are not passed on. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['tasks', 'completions', 'experimental', 'extensions'])

/** Returns undefined if there is no real server, or if its handshake fails. */
export async function realGreeting(call: Call): Promise<CallAnswer | undefined> {
  const { real, state } = call
  if (real === undefined) return undefined
  const greeting = await real.side.greet(call.method === 'initialize' ? call.params : undefined)
  if (!greeting.ok || !('result' in greeting.value) || !isRecord(greeting.value.result)) return undefined
  const { result, json } = inVersionOf(call, greeting.value.result, greeting.value.json)
  const written = IDENTITY.filter(([key]) => Object.hasOwn(state, key))
  const capabilities = capabilitiesOver(own(result, 'capabilities'), state)
  if (written.length === 0 && capabilities === undefined) return { result, ...(json !== undefined && { json }) }
  const changes = Object.fromEntries(written.map(([key, name]) => [name, own(state, key) ?? null]))
  return { result: { ...result, ...(capabilities && { capabilities }), ...(call.fill(changes) as ValueRecord) } }
}

/** A server of MCP 2026-07-28 describes itself differently, so an older agent gets an equivalent handshake result. */
function inVersionOf({ method, params }: Call, result: ValueRecord, json: string | undefined) {
  const version = own(result, 'protocolVersion')
  if (method !== 'initialize' || version !== MODERN_VERSION) return { result, json }
  const { capabilities = {}, instructions, _meta } = result
  const serverInfo = own(_meta, `${META}serverInfo`) ?? { name: 'server', version: '1' }
  const protocolVersion = ownText(params, 'protocolVersion') ?? DEFAULT_MCP_VERSION
  return { result: defined({ protocolVersion, capabilities, serverInfo, instructions }), json: undefined }
}

/**
 * Returns undefined if the real server's capabilities need no change. Capabilities that the document uses are added,
 * and unsupported ones are removed.
 */
function capabilitiesOver(real: Value | undefined, state: ValueRecord): ValueRecord | undefined {
  const offered = isRecord(real) ? real : {}
  const written = own(state, 'capabilities')
  if (isRecord(written)) return written
  const kept = Object.entries(offered).filter(([name]) => !UNSUPPORTED.has(name))
  const added = [
    ...(Object.hasOwn(state, 'tools') && !Object.hasOwn(offered, 'tools') ? ['tools'] : []),
    ...(Object.hasOwn(state, 'prompts') && !Object.hasOwn(offered, 'prompts') ? ['prompts'] : []),
    ...(['resources', 'resource_templates'].some((key) => Object.hasOwn(state, key)) &&
    !Object.hasOwn(offered, 'resources')
      ? ['resources']
      : []),
  ]
  if (kept.length === Object.keys(offered).length && added.length === 0) return undefined
  return { ...Object.fromEntries(kept), ...Object.fromEntries(added.map((name) => [name, { listChanged: true }])) }
}

const NAMES = { tools: 'name', prompts: 'name', resources: 'uri', resource_templates: 'uriTemplate' } as const

/**
 * Returns a page of the real server's list with the document's entries: document entries replace real ones of the same
 * name; all others are added to the first page. Returns undefined if no real server responds.
 */
export async function realList(call: Call, name: string, key: ListKey): Promise<CallAnswer | undefined> {
  const reply = await call.real?.side.read(call.real.request)
  if (reply === undefined) return undefined
  const written = call.fill(listed(call, key))
  const entries = isList(written) ? written.filter(isRecord) : []
  if (entries.length === 0) return reply
  if ('error' in reply) return undefined
  const page = own(reply.result, name)
  const real = isList(page) ? page : []
  const nameOf = (entry: Value) => own(entry, NAMES[key])
  const over = (entry: Value) => entries.find((one) => nameOf(one) !== undefined && nameOf(one) === nameOf(entry))
  const isFirst = own(call.params, 'cursor') === undefined
  const isReal = (entry: ValueRecord) => key === 'tools' && call.real?.side.tool(String(nameOf(entry))) !== undefined
  const added = isFirst ? entries.filter((entry) => !isReal(entry) && !real.some((one) => over(one) === entry)) : []
  const laid = real.flatMap((entry): Value[] => {
    const match = over(entry)
    if (match === undefined) return [entry]
    return [key === 'tools' && isRecord(entry) ? definitionOver(entry, match) : match]
  })
  return { result: { ...(isRecord(reply.result) && reply.result), [name]: [...added, ...laid] } }
}

/** An empty schema in the document is ignored. */
function definitionOver(real: ValueRecord, written: ValueRecord): ValueRecord {
  const fields = Object.entries(written).filter(
    ([key, value]) => !(key === 'inputSchema' && isRecord(value) && Object.keys(value).every((one) => one === 'type')),
  )
  return { ...real, ...Object.fromEntries(fields) }
}

/** Returns undefined if there is no real server, or if the request is held back. */
export async function realRead({ real }: Call): Promise<RealReply | undefined> {
  return real?.side.read(real.request)
}

/** Returns undefined if there is no real server. */
export async function realCall({ real, params }: Call): Promise<RealReply | undefined> {
  const name = own(params, 'name')
  return typeof name === 'string' ? real?.side.call(name, real.request) : undefined
}
