/** Agents that do not let a client in, and errors that are not a refusal: neither shows that an attack was resisted. */
import { beginning, own, ownText, type Value } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { jsonRpcCodes, readValue } from './json-rpc.ts'

/** Reports that an agent did not even look at a request, whatever its answer says. */
export function reportTurnedAway(
  report: (code: 'agent-failed', message: string) => void,
  surface: string,
  status: number,
  text?: string,
): void {
  const why = turnedAway(status, text)
  if (why !== undefined) report('agent-failed', surface === '' ? why : `${surface}: ${why}`)
}

/** Why an agent did not look at a request, with its own words; undefined when the status does not say so. */
export function turnedAway(status: number, text = ''): string | undefined {
  const isShut = status === 401 || status === 403
  if (!isShut && status !== 429 && (status < 500 || status > 599)) return undefined
  const said = beginning(messageIn(text).trim(), arenaLimits.peerText)
  const what = `the agent ${isShut ? 'refused a request' : 'could not handle a request'} with HTTP ${status}`
  return said === '' ? what : `${what}: ${said}`
}

/** The message of a JSON-RPC error; any other text as it is. */
function messageIn(text: string): string {
  const read = readValue(text, text.length * 4)
  return (read.ok ? ownText(own(read.value, 'error'), 'message') : undefined) ?? text
}

/** What is wrong with an error as an answer; undefined where an agent that understood the call may say no like this. */
export function errorFault(error: Value, refusals: readonly number[]): string | undefined {
  const code = own(error, 'code')
  if (typeof code !== 'number') return 'with an error that is not one of JSON-RPC'
  if (refusals.includes(code)) return undefined
  const message = ownText(error, 'message') ?? ''
  const said = message === '' ? '' : ` (${beginning(message, arenaLimits.peerText)})`
  const isUnread = code === jsonRpcCodes.invalidParams
  return `with the error ${code}${said}, which ${isUnread ? 'turns it away unread' : 'is not a refusal'}`
}
