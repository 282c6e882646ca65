/**
 * Requests that wait for an answer. Whatever comes instead of an answer must end the wait, or a call would hang until
 * its timeout.
 */
import { isRecord, own } from '@joust/source'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'

/** The id of a request. */
export type RequestId = string | number

/** How the message begins in an answer that is made here because what came cannot be read. */
export const UNREADABLE = 'the server answered with something that is not a JSON-RPC response'

/** Whether something came that is not JSON, or not a message of the protocol. */
export function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof SyntaxError || (thrown instanceof Error && /ZodError$/.test(thrown.name))
}

/** The requests of one connection that were sent and not answered. */
export class OpenRequests {
  readonly #ids = new Set<RequestId>()

  /** Notes what goes out; returns the id of a request that this opens or gives up. */
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

  /** Notes what came in. */
  received(message: JSONRPCMessage): void {
    if (!('method' in message) && 'id' in message && message.id !== undefined) this.#ids.delete(message.id)
  }

  /** An answer made here for something that came in place of one; undefined when nobody waits for it. */
  failed(id: unknown, message: string): JSONRPCMessage | undefined {
    if (!isRequestId(id) || !this.#ids.delete(id)) return undefined
    return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } }
  }
}

const INTERNAL_ERROR = -32603

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number'
}

/** A transport of the SDK that can also explain a failure. */
export interface McpTransport extends Transport {
  /** False once it can no longer be used. */
  readonly isOpen: boolean
  /** What went wrong on the wire so far; empty when nothing did. */
  trouble(): string
}
