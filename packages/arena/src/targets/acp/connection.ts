/** JSON-RPC with a process, in both directions: calls of ours, and what it reports and asks in the meantime. */
import { type Value, writeJson } from '@joust/source'
import {
  failure,
  type JsonRpcMessage,
  type JsonRpcResponse,
  jsonRpcCodes,
  messagesOf,
  readMessage,
  writeAnswer,
  writeNotification,
  writeRequest,
} from '../../drivers/json-rpc.ts'
import { arenaLimits } from '../../model/limits.ts'
import type { Pipe } from '../../model/wiring.ts'

/** A connection. */
export interface AcpConnection {
  /** The answer, whether a result or an error; undefined when the process is gone. */
  call(method: string, params: Value): Promise<JsonRpcResponse | undefined>
  tell(method: string, params: Value): void
}

/** What a process sends on its own. */
interface AcpHandlers {
  told(method: string, params: Value): void
  /** The result; undefined for a method that does not exist. */
  asked(method: string, params: Value): Promise<Value | undefined>
  /** A line that is not a message. */
  stray(line: string): void
}

/** Speaks over a pipe until it ends. */
export function connectAcp(pipe: Pipe, handlers: AcpHandlers): AcpConnection {
  const waiting = new Map<number, (response: JsonRpcResponse | undefined) => void>()
  let last = 0
  let isOpen = true
  const send = (line: string) => void pipe.send(line).catch(() => {})
  const take = async (message: JsonRpcMessage): Promise<void> => {
    if (message.kind === 'malformed') return handlers.stray(message.text)
    if (message.kind === 'notification') return handlers.told(message.method, message.params)
    if (message.kind === 'request') {
      const { id, method, params } = message
      const result = await handlers.asked(method, params)
      const missing = failure(jsonRpcCodes.methodNotFound, `Method not found: ${method}`)
      return send(writeAnswer(id, result === undefined ? missing : { result }))
    }
    const id = Number(message.id)
    waiting.get(id)?.(message)
    waiting.delete(id)
  }
  const listen = async () => {
    for await (const { text } of pipe.lines) {
      const read = readMessage(text, arenaLimits.answerText)
      for (const message of messagesOf(read)) void take(message)
    }
  }
  void listen()
    .catch((thrown) => handlers.stray(String(thrown)))
    .finally(() => {
      isOpen = false
      for (const resolve of waiting.values()) resolve(undefined)
    })
  return {
    call(method, params) {
      const id = ++last
      return new Promise((resolve) => {
        if (!isOpen) return resolve(undefined)
        waiting.set(id, resolve)
        send(writeRequest(id, method, params))
      })
    },
    tell: (method, params) => send(writeNotification(method, params)),
  }
}

/** An error of a peer, for messages. */
export function errorText({ content }: JsonRpcResponse): string {
  return writeJson(content).slice(0, arenaLimits.peerText)
}
