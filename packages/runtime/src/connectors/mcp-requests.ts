/** Pending requests. An invalid response must fail its request, which would otherwise wait for the timeout. */
import { isRecord, own } from '@joust/source'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'

export type RequestId = string | number

/** Prefix of error messages about invalid responses. */
export const UNREADABLE = 'the server sent an invalid JSON-RPC response'

/** True if a message was not valid JSON, or not a valid JSON-RPC message. */
export function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof SyntaxError || (thrown instanceof Error && /ZodError$/.test(thrown.name))
}

export class OpenRequests {
  readonly #ids = new Set<RequestId>()

  /** Records an outgoing message. Returns the id of the request that it opens or cancels. */
  sent(message: JSONRPCMessage): { readonly opened?: RequestId; readonly dropped?: RequestId } {
    if (!('method' in message)) return {}
    if ('id' in message && message.id !== undefined) {
      this.#ids.add(message.id)
      return { opened: message.id }
    }
    if (message.method !== 'notifications/cancelled' || !isRecord(message.params)) return {}
    const id = own(message.params, 'requestId')
    if (!isRequestId(id)) return {}
    this.#ids.delete(id)
    return { dropped: id }
  }

  received(message: JSONRPCMessage): void {
    if (!('method' in message) && 'id' in message && message.id !== undefined) this.#ids.delete(message.id)
  }

  /** Creates an error response for a pending request; undefined if the request is not pending. */
  failed(id: unknown, message: string): JSONRPCMessage | undefined {
    if (!isRequestId(id) || !this.#ids.delete(id)) return undefined
    return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } }
  }
}

const INTERNAL_ERROR = -32603

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number'
}

export interface McpTransport extends Transport {
  readonly isOpen: boolean
  /** Describes transport problems; returns an empty string if there are none. */
  problems(): string
}
