/** Checks requests of MCP 2026-07-28: their metadata, and the headers that repeat the body. */
import { isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import { type Answered, failure, jsonRpcCodes } from '../json-rpc.ts'
import { decodeHeader, wrongParamHeader } from '../mcp/param-headers.ts'
import { META, MODERN_VERSION, modernCodes, nameFields, SESSION_HEADER, VERSION_HEADER } from '../mcp/protocol.ts'

type Headers = Readonly<Record<string, string>>

/** Headers are undefined on a pipe. */
interface Envelope {
  readonly method: string
  readonly params: Value
  readonly headers: Headers | undefined
}

/** True if the server uses this version and the peer requests it, in the metadata or a header. */
export function isModern(version: Value | undefined, { params, headers = {} }: Omit<Envelope, 'method'>): boolean {
  if (version !== MODERN_VERSION) return false
  if (requestedVersion(params) !== undefined) return true
  // A client that negotiated this version in a handshake repeats it in a session.
  return headers[VERSION_HEADER] === MODERN_VERSION && headers[SESSION_HEADER] === undefined
}

/** Returns undefined for a valid request. `tool` is the called tool. */
export function envelopeFault(envelope: Envelope, tool: ValueRecord | undefined): Answered | undefined {
  const { params, headers } = envelope
  const requested = requestedVersion(params)
  if (typeof requested !== 'string')
    return failure(jsonRpcCodes.invalidParams, `Invalid params: _meta has no ${META}protocolVersion`)
  if (!isRecord(own(own(params, '_meta'), `${META}clientCapabilities`)))
    return failure(jsonRpcCodes.invalidParams, `Invalid params: _meta has no ${META}clientCapabilities`)
  const wrong = headers && wrongHeader(envelope, headers, requested, tool)
  if (wrong !== undefined)
    return failure(modernCodes.headerMismatch, `Header mismatch: ${wrong} does not match the request body`)
  if (requested === MODERN_VERSION) return undefined
  const data = { supported: [MODERN_VERSION], requested }
  return failure(modernCodes.unsupportedVersion, `Unsupported protocol version ${requested}`, data)
}

/** An error from a known method has status 200. */
export function modernStatus(answer: Answered): number {
  const code = 'error' in answer ? own(answer.error, 'code') : undefined
  if (code === jsonRpcCodes.methodNotFound) return 404
  return Object.values<Value | undefined>(modernCodes).includes(code) ? 400 : 200
}

function requestedVersion(params: Value): Value | undefined {
  return own(own(params, '_meta'), `${META}protocolVersion`)
}

function wrongHeader(
  { method, params }: Envelope,
  headers: Headers,
  version: string,
  tool: ValueRecord | undefined,
): string | undefined {
  if (headers[VERSION_HEADER] !== version) return VERSION_HEADER
  if (headers['mcp-method'] !== method) return 'mcp-method'
  const field = nameFields.get(method)
  const name = field === undefined ? undefined : ownText(params, field)
  if (name !== undefined && decodeHeader(headers['mcp-name'] ?? '') !== name) return 'mcp-name'
  return tool && wrongParamHeader(own(tool, 'inputSchema'), own(params, 'arguments'), headers)
}
