/** The capabilities of an MCP client, declared in its handshake or, since 2026-07-28, in every request. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'

/** Server requests and the client capability that each requires. */
export const questions = [
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
] as const

const capabilities: ReadonlyMap<string, string> = new Map(questions)
const META = 'io.modelcontextprotocol/clientCapabilities'

/** Returns undefined if the request declares no capabilities. */
export function declaredCapabilities(method: string, params: Value): ValueRecord | undefined {
  if (!isRecord(params)) return undefined
  const declared = method === 'initialize' ? own(params, 'capabilities') : own(own(params, '_meta'), META)
  if (isRecord(declared)) return declared
  return method === 'initialize' ? {} : undefined
}

export function capabilityOf(method: string): string | undefined {
  return capabilities.get(method)
}

/** `declared` are the client's capabilities. */
export function acceptsRequest(declared: ValueRecord | undefined, method: string, params: Value): boolean {
  const name = capabilities.get(method)
  if (name === undefined) return true
  const capability = own(declared, name)
  if (!isRecord(capability)) return false
  // Elicitation without a mode is limited to forms.
  const isUrl = name === 'elicitation' && own(params, 'mode') === 'url'
  return !isUrl || isRecord(own(capability, 'url'))
}
