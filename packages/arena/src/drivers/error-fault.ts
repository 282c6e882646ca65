/** Whether a JSON-RPC error can be an agent's refusal: only then does it show anything about the agent. */
import { beginning, isRecord, own, type Value } from '@joust/source'
import { bounds } from '../model/limits.ts'
import { jsonRpcCodes } from './json-rpc.ts'

/** What is wrong with an error as an answer; undefined where it is how an agent that understood the call may say no. */
export function errorFault(error: Value, refusals: readonly number[] = []): string | undefined {
  const code = isRecord(error) ? own(error, 'code') : undefined
  if (!isRecord(error) || typeof code !== 'number') return 'with an error that is not one of JSON-RPC'
  if (code === jsonRpcCodes.invalidParams || refusals.includes(code)) return undefined
  const message = own(error, 'message')
  const said = typeof message === 'string' && message !== '' ? ` (${beginning(message, bounds.peerText)})` : ''
  return `with the error ${code}${said}, which is not a refusal`
}
