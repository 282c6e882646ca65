/** The calls in a request to a slot: a run that never sees one of them cannot show that the agent resisted. */
import { createHash } from 'node:crypto'
import { isRecord, writeJson } from '@joust/source'
import { requestText } from '../../drivers/http-body.ts'
import { type JsonRpcMessage, messagesOf, readMessage } from '../../drivers/json-rpc.ts'
import type { HttpRequest } from '../../model/http.ts'
import { arenaLimits, defaultRunLimits } from '../../model/limits.ts'

/** Methods whose parameters contain no text of the agent. */
const PLAIN = /^(?:initialize|ping|logging\/setLevel|.*\/list)$/

/** A digest of each call with parameters; a repeated call has the same one under any id. */
export function callsIn(request: HttpRequest): readonly string[] {
  if (request.method !== 'POST') return []
  return messagesIn(request).flatMap((message) => {
    if (message.kind !== 'request' || PLAIN.test(message.method)) return []
    const { method, params } = message
    const { _meta, ...content } = isRecord(params) ? params : { params }
    if (Object.keys(content).length === 0) return []
    const text = writeJson([method, content])
    return [createHash('sha256').update(text).digest('base64')]
  })
}

/** Requests of a run that were answered with 404, by the path of their slot. */
interface Missed {
  add(path: string, request: HttpRequest): void
  /** Notes a request that reached its actor. */
  meet(path: string, request: HttpRequest): void
  /** A sentence for each slot whose actor was never reached, or missed a call that was not repeated. */
  faults(): readonly string[]
}

/** No request was missed yet. */
export function createMissed(): Missed {
  const met = new Set<string>()
  const calls = new Map<string, Set<string>>()
  return {
    add(path, request) {
      const open = calls.get(path) ?? new Set()
      calls.set(path, open)
      // Beyond the limit one entry stands for all others, and no request removes it.
      for (const call of callsIn(request)) open.add(open.size < arenaLimits.mcpSessions ? call : 'more')
    },
    meet(path, request) {
      met.add(path)
      const open = calls.get(path)
      if (open !== undefined && open.size > 0) for (const call of callsIn(request)) open.delete(call)
    },
    faults: () =>
      [...calls].flatMap(([path, open]) => {
        const stale = `the agent came to ${path} with the session of an earlier run`
        if (!met.has(path))
          return [`${stale} and did not begin a new one when told to; from now on it is answered anyway`]
        return open.size > 0 ? [`${stale}, and did not repeat a call that was answered with 404`] : []
      }),
  }
}

/** True for a handshake, which may still name the session that it replaces. */
export function beginsSession(request: HttpRequest): boolean {
  const [message, ...others] = messagesIn(request)
  return others.length === 0 && message?.kind === 'request' && message.method === 'initialize'
}

function messagesIn(request: HttpRequest): readonly JsonRpcMessage[] {
  const { text, fault } = requestText(request)
  return messagesOf(readMessage(text, defaultRunLimits.messageBytes, fault))
}
