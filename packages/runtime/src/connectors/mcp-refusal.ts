/** Which failures of the SDK's client are its own word on an answer, and not the server's or the network's. */

import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { RefusedAnswer } from '../model/errors.ts'
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

/** Whether an answer came that the client did not take. */
export function isRefusal(thrown: unknown): boolean {
  if (thrown instanceof RefusedAnswer || isUnreadable(thrown)) return true
  if (thrown instanceof SdkError) return refusing.has(thrown.code)
  if (!(thrown instanceof ProtocolError)) return thrown instanceof Error && VERSION.test(thrown.message)
  return AGAINST_ITS_SCHEMA.test(thrown.message) || thrown.message.startsWith(UNREADABLE)
}
