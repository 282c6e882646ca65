/** What is wrong with an exchange with an MCP server, by what the SDK's client throws. */
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, type Transport } from '@modelcontextprotocol/client'
import { RefusedAnswer } from '../model/errors.ts'
import { HttpTransport } from './mcp-http.ts'
import { isUnreadable, UNREADABLE } from './mcp-requests.ts'

const refusing: ReadonlySet<string> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.InputRequiredRoundsExceeded,
  SdkErrorCode.ListPaginationExceeded,
  SdkErrorCode.ClientHttpUnexpectedContent,
])

/** Thrown by the client as if the server had answered with an error. */
const AGAINST_ITS_SCHEMA =
  /^Structured content does not match|^Failed to validate structured|but did not return structured content$/
const VERSION = /^Server's protocol version is not supported/

/** Whether an answer arrived that the client did not accept. */
export function isRefusal(thrown: unknown): boolean {
  if (thrown instanceof RefusedAnswer || isUnreadable(thrown)) return true
  if (thrown instanceof SdkError) return refusing.has(thrown.code)
  if (!(thrown instanceof ProtocolError)) return thrown instanceof Error && VERSION.test(thrown.message)
  return AGAINST_ITS_SCHEMA.test(thrown.message) || thrown.message.startsWith(UNREADABLE)
}

/** Whether a session is no longer known: 404 by the protocol; many servers say 400. */
export function isForgotten(thrown: unknown, transport: Transport): boolean {
  if (!(thrown instanceof SdkHttpError && transport instanceof HttpTransport && transport.sessionId)) return false
  return thrown.status === 404 || (thrown.status === 400 && /session[ -]?id\b|session not found/i.test(thrown.message))
}
