/** Agents that do not let a client in: what never got past the door has not been resisted. */
import { beginning, isRecord, own } from '@joust/source'
import { bounds } from '../model/limits.ts'
import { readValue } from './json-rpc.ts'

/** Why an agent did not look at a request, with what it says itself; undefined when the status does not say so. */
export function turnedAway(status: number, text = ''): string | undefined {
  const isShut = status === 401 || status === 403
  if (!isShut && status !== 429 && (status < 500 || status > 599)) return undefined
  const said = beginning(messageIn(text).trim(), bounds.peerText)
  const what = `the agent ${isShut ? 'refused a request' : 'could not handle a request'} with HTTP ${status}`
  return said === '' ? what : `${what}: ${said}`
}

/** The message of a JSON-RPC error; any other text as it is. */
function messageIn(text: string): string {
  const read = readValue(text, text.length * 4)
  const error = read.ok && isRecord(read.value) ? own(read.value, 'error') : undefined
  const message = isRecord(error) ? own(error, 'message') : undefined
  return typeof message === 'string' ? message : text
}
