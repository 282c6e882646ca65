/** A JSON-RPC connection to a process, with calls in both directions and notifications. */

import { arenaLimits, type Pipe } from '@joust/arena'
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
} from '@joust/arena/wire'
import { type Value, writeJson } from '@joust/source'

/** An Agent Client Protocol connection to an agent. */
export interface AcpConnection {
  /** Returns the response, which may be an error; undefined if the process has exited. */
  call(method: string, params: Value): Promise<JsonRpcResponse | undefined>
  notify(method: string, params: Value): void
}

interface AcpHandlers {
  onNotification(method: string, params: Value): void
  /** Returns the result of a method; undefined if the method is unknown. */
  onRequest(method: string, params: Value): Promise<Value | undefined>
  /** Called with each output line that is not a message. */
  onStray(line: string): void
}

export function connectAcp(pipe: Pipe, handlers: AcpHandlers): AcpConnection {
  const waiting = new Map<number, (response: JsonRpcResponse | undefined) => void>()
  let last = 0
  let isOpen = true
  const send = (line: string) => void pipe.send(line).catch(() => {})
  const handle = async (message: JsonRpcMessage): Promise<void> => {
    if (message.kind === 'malformed') return handlers.onStray(message.text)
    if (message.kind === 'notification') return handlers.onNotification(message.method, message.params)
    if (message.kind === 'request') {
      const { id, method, params } = message
      const result = await handlers.onRequest(method, params)
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
      for (const message of messagesOf(read)) void handle(message)
    }
  }
  void listen()
    .catch((thrown) => handlers.onStray(String(thrown)))
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
    notify: (method, params) => send(writeNotification(method, params)),
  }
}

export function errorText({ content }: JsonRpcResponse): string {
  return writeJson(content).slice(0, arenaLimits.peerText)
}
