/** Handles requests from an MCP server: sampling, elicitation and roots. */
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

export function capabilitiesOf({ sample, elicit }: McpHandlers): ClientCapabilities {
  return { ...(sample && { sampling: {} }), ...(elicit && { elicitation: { form: {} } }), roots: {} }
}

/** The specification's error code for a request rejected by the user. */
const USER_REJECTED = -1

/** Registers request handlers. The list of roots is always empty. */
export function answerServer(client: Client, { sample, elicit }: McpHandlers): void {
  const limit = createRequestLimit()
  client.setRequestHandler('roots/list', () => ({ roots: [] }))
  if (sample !== undefined)
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
      const answer = await limit(() => sample(paramsOf(params), mcpReq.signal))
      if (answer === undefined) throw new ProtocolError(USER_REJECTED, 'the user rejected the request')
      // The SDK validates the result against the protocol schema.
      return answer as unknown as CreateMessageResult
    })
  if (elicit !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      const answer = await limit(() => elicit(paramsOf(params), mcpReq.signal))
      // The SDK validates this result too.
      return (answer ?? { action: 'decline' }) as unknown as ElicitResult
    })
}

function createRequestLimit() {
  let pending = 0
  return async <T>(answer: () => Promise<T>): Promise<T> => {
    if (pending >= runtimeLimits.mcpQuestions)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'too many concurrent requests')
    pending++
    try {
      return await answer()
    } catch {
      // Do not disclose the reason to the server.
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'the request failed')
    } finally {
      pending--
    }
  }
}

function paramsOf(params: unknown): ValueRecord {
  const value = toValue(params)
  if (!value.ok || !isRecord(value.value))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'missing parameters')
  return value.value
}
