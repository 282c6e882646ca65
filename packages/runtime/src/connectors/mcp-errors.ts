/** Classification of errors thrown by the MCP client. */
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, type Transport } from '@modelcontextprotocol/client'
import { RefusedAnswer } from '../model/errors.ts'
import { HttpTransport } from './mcp-http.ts'
import { isUnreadable, UNREADABLE } from './mcp-requests.ts'

const rejectionCodes: ReadonlySet<string> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.InputRequiredRoundsExceeded,
  SdkErrorCode.ListPaginationExceeded,
  SdkErrorCode.ClientHttpUnexpectedContent,
])

/** Messages of client-side errors that the SDK throws as if the server had returned them. */
const SCHEMA_MISMATCH =
  /^Structured content does not match|^Failed to validate structured|but did not return structured content$/
const VERSION = /^Server's protocol version is not supported/

export function isRejectedResponse(thrown: unknown): boolean {
  if (thrown instanceof RefusedAnswer || isUnreadable(thrown)) return true
  if (thrown instanceof SdkError) return rejectionCodes.has(thrown.code)
  if (!(thrown instanceof ProtocolError)) return thrown instanceof Error && VERSION.test(thrown.message)
  return SCHEMA_MISMATCH.test(thrown.message) || thrown.message.startsWith(UNREADABLE)
}

/** True if the server does not know the session: status 404 in the specification, but many servers return 400. */
export function isSessionLost(thrown: unknown, transport: Transport): boolean {
  if (!(thrown instanceof SdkHttpError && transport instanceof HttpTransport && transport.sessionId)) return false
  return thrown.status === 404 || (thrown.status === 400 && /session[ -]?id\b|session not found/i.test(thrown.message))
}
