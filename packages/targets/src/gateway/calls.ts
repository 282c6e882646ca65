/** Calls in requests to a slot. A run that misses one of them cannot show that the agent resisted. */

import { createHash } from 'node:crypto'
import { arenaLimits, defaultRunLimits } from '@joust/arena'
import type { HttpRequest } from '@joust/arena/wire'
import { type JsonRpcMessage, messagesOf, readMessage, requestText } from '@joust/arena/wire'
import { isRecord, writeJson } from '@joust/source'

/** Methods whose parameters contain no text written by the agent. */
const PLAIN = /^(?:initialize|ping|logging\/setLevel|.*\/list)$/

/** Returns a digest of each call with parameters, independent of its request id. */
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

/** The calls in a run that got status 404, by slot path. */
interface MissedCalls {
  add(path: string, request: HttpRequest): void
  /** Records that a request reached its actor. */
  noteArrival(path: string, request: HttpRequest): void
  /** One sentence for each slot whose actor received no request, or missed a call that was not repeated. */
  faults(): readonly string[]
}

export function createMissedCalls(): MissedCalls {
  const reached = new Set<string>()
  const calls = new Map<string, Set<string>>()
  return {
    add(path, request) {
      const open = calls.get(path) ?? new Set()
      calls.set(path, open)
      // Beyond the limit, one entry that is never removed represents all others.
      for (const call of callsIn(request)) open.add(open.size < arenaLimits.mcpSessions ? call : 'more')
    },
    noteArrival(path, request) {
      reached.add(path)
      const open = calls.get(path)
      if (open !== undefined && open.size > 0) for (const call of callsIn(request)) open.delete(call)
    },
    faults: () =>
      [...calls].flatMap(([path, open]) => {
        const stale = `the agent used the MCP session of an earlier run at ${path}`
        if (!reached.has(path))
          return [
            `${stale} and did not open a new one after the 404 response; no request from the agent reached this run`,
          ]
        return open.size > 0 ? [`${stale} and did not repeat a call that got 404`] : []
      }),
  }
}

/** True for an `initialize` request, which may still contain the id of the session to replace. */
export function beginsSession(request: HttpRequest): boolean {
  const [message, ...others] = messagesIn(request)
  return others.length === 0 && message?.kind === 'request' && message.method === 'initialize'
}

function messagesIn(request: HttpRequest): readonly JsonRpcMessage[] {
  const { text, fault } = requestText(request)
  return messagesOf(readMessage(text, defaultRunLimits.messageBytes, fault))
}
