/** Rejected requests and errors: neither shows that an agent resisted an attack. */

import { beginning, own, ownText, type Value } from '@joust/source'
import { codeOfStatus } from '../model/errors.ts'
import { arenaLimits } from '../model/limits.ts'
import type { Stage } from './driver.ts'
import { jsonRpcCodes, readValue } from './json-rpc.ts'

/** Reports a request that the agent rejected with its HTTP status. */
export function reportRejection(report: Stage['report'], surface: string, status: number, text?: string): void {
  const message = rejectionOf(status, text)
  if (message === undefined) return
  const more = codeOfStatus(status) === 'unavailable' ? { transient: true as const } : {}
  report('agent-failed', surface === '' ? message : `${surface}: ${message}`, undefined, more)
}

/** Describes a rejected request, with the agent's own text. Returns undefined for other statuses. */
export function rejectionOf(status: number, text = ''): string | undefined {
  const isForbidden = status === 401 || status === 403
  if (!isForbidden && status !== 429 && (status < 500 || status > 599)) return undefined
  const detail = beginning(messageIn(text).trim(), arenaLimits.peerText)
  const what = `the agent ${isForbidden ? 'rejected' : 'failed to handle'} a request with HTTP ${status}`
  return detail === '' ? what : `${what}: ${detail}`
}

function messageIn(text: string): string {
  const read = readValue(text, text.length * 4)
  return (read.ok ? ownText(own(read.value, 'error'), 'message') : undefined) ?? text
}

/**
 * Describes the fault in an error, as a clause after "was answered". Returns undefined if an agent may refuse with the
 * error code.
 */
export function errorFault(error: Value, refusals: readonly number[]): string | undefined {
  const code = own(error, 'code')
  if (typeof code !== 'number') return 'with an invalid JSON-RPC error'
  if (refusals.includes(code)) return undefined
  const message = ownText(error, 'message') ?? ''
  const detail = message === '' ? '' : ` (${beginning(message, arenaLimits.peerText)})`
  const isInvalid = code === jsonRpcCodes.invalidParams
  return `with error ${code}${detail}, which ${isInvalid ? 'rejects the request as invalid' : 'is not a refusal'}`
}
