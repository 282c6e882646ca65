/** An MCP server that does not follow a document: handshake, `server/discover`, `ping`, and a table of methods. */
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { own, ownText, type Value } from '@joust/source'
import { type Answered, failure, type JsonRpcRequest, jsonRpcCodes } from '../json-rpc.ts'
import { META, MODERN_VERSION } from './protocol.ts'

/** An MCP server as a table of methods. */
export interface PlainServer {
  readonly name: string
  readonly capabilities: Value
  /**
   * True if the server also supports MCP 2026-07-28. Must be false for an address that serves different servers: an
   * agent that negotiated this version with one server would expect it from the next.
   */
  readonly isModern?: true
  readonly methods: Readonly<Record<string, (params: Value) => Answered | Promise<Answered>>>
}

/** Answers a request, in any protocol version. */
export async function answerPlainly(server: PlainServer, { method, params }: JsonRpcRequest): Promise<Answered> {
  const { name, capabilities, methods } = server
  if (method === 'ping') return { result: {} }
  if (method === 'initialize') {
    const protocolVersion = ownText(params, 'protocolVersion') ?? DEFAULT_MCP_VERSION
    return { result: { protocolVersion, capabilities, serverInfo: { name, version: '1.0.0' } } }
  }
  const asksModern = own(own(params, '_meta'), `${META}protocolVersion`) === MODERN_VERSION
  if (method === 'server/discover' && asksModern && server.isModern === true) {
    const _meta = { [`${META}serverInfo`]: { name, version: '1.0.0' } }
    return { result: { resultType: 'complete', supportedVersions: [MODERN_VERSION], capabilities, _meta } }
  }
  const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
  return answer?.(params) ?? failure(jsonRpcCodes.methodNotFound, `Method not found: ${method}`)
}
