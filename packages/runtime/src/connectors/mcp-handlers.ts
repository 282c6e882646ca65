/** What an MCP server may ask of us: a completion of the model, a word of the user, the roots of a workspace. */

import { isRecord, type ValueRecord } from '@joust/source'
import {
  type Client,
  type ClientCapabilities,
  type CreateMessageResult,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client'
import type { McpHandlers } from '../model/connection.ts'
import { toValue } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'

/** What we let servers ask for. */
export function capabilitiesOf({ sample, elicit }: McpHandlers): ClientCapabilities {
  return { ...(sample && { sampling: {} }), ...(elicit && { elicitation: { form: {} } }), roots: {} }
}

/** The error code that the specification gives for a request that the user turned down. */
const USER_REJECTED = -1

/** Answers the questions of a server. There are no roots. */
export function answerServer(client: Client, { sample, elicit }: McpHandlers): void {
  const ask = limitQuestions()
  client.setRequestHandler('roots/list', () => ({ roots: [] }))
  if (sample !== undefined)
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
      const answer = await ask(() => sample(paramsOf(params), mcpReq.signal))
      if (answer === undefined) throw new ProtocolError(USER_REJECTED, 'the user turned the request down')
      // The SDK judges what goes out by the schema of the protocol.
      return answer as unknown as CreateMessageResult
    })
  if (elicit !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      const answer = await ask(() => elicit(paramsOf(params), mcpReq.signal))
      // As above.
      return (answer ?? { action: 'decline' }) as unknown as ElicitResult
    })
}

function limitQuestions() {
  let waiting = 0
  return async <T>(answer: () => Promise<T>): Promise<T> => {
    if (waiting >= runtimeLimits.mcpQuestions)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'too many requests at once')
    waiting++
    try {
      return await answer()
    } catch {
      // Why we could not answer is none of the server's business.
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'the request could not be answered')
    } finally {
      waiting--
    }
  }
}

function paramsOf(params: unknown): ValueRecord {
  const value = toValue(params)
  if (!value.ok || !isRecord(value.value)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no parameters')
  return value.value
}
