/** MCP server requests. They reach the agent only if its client accepts them. */

import type { TraceEntry } from '@joust/results'
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { acceptsRequest, declaredCapabilities } from '../model/client-abilities.ts'

/** Requests that a client may not support, and how messages refer to them. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitations'],
  ['sampling/createMessage', 'sampling requests'],
])

interface QuestionEnds {
  taken(entry: TraceEntry): void
  /** Called if the client does not accept requests of this kind. */
  untaken(entry: TraceEntry, kind: string): void
}

interface OpenQuestion {
  readonly entry: TraceEntry
  readonly kind: string
  readonly announced: boolean
}

export function createQuestions({ taken, untaken }: QuestionEnds) {
  const capabilities = new Map<string, ValueRecord>()
  const open = new Map<string, OpenQuestion[]>()
  const settle = ({ entry, kind }: OpenQuestion, isTaken: boolean) => (isTaken ? taken(entry) : untaken(entry, kind))
  return {
    /** Returns true if the entry is a server request. */
    take(entry: TraceEntry): boolean {
      const { mode, flow, direction, surface, content } = entry
      if (mode !== 'mcp_server' || entry.malformed !== undefined) return false
      const client = JSON.stringify([entry.actor, entry.session])
      const key = `${client} ${surface}`
      if (flow === 'in') {
        const declared = direction === 'request' ? declaredCapabilities(surface, content) : undefined
        if (declared !== undefined) capabilities.set(client, declared)
        const question = direction === 'response' ? open.get(key)?.shift() : undefined
        if (question !== undefined) settle(question, isAnswer(question, content))
        return false
      }
      const kind = kinds.get(surface)
      if (kind === undefined || direction !== 'request') return false
      const question = { entry, kind, announced: acceptsRequest(capabilities.get(client), surface, content) }
      open.set(key, [...(open.get(key) ?? []), question])
      return true
    },
    /** Called when no more answers will arrive. */
    finish() {
      // A client that supports the request may still be working on it.
      for (const question of [...open.values()].flat()) settle(question, question.announced)
      open.clear()
    },
  }
}

const METHOD_NOT_FOUND = -32601

/** If a client declared support, any answer but an unknown-method error shows that it accepts the request. */
function isAnswer({ entry: { surface }, announced }: OpenQuestion, answer: Value): boolean {
  if (!isRecord(answer)) return announced
  if (announced) return own(answer, 'code') !== METHOD_NOT_FOUND
  if (surface === 'elicitation/create') return ['accept', 'decline', 'cancel'].includes(String(own(answer, 'action')))
  return own(answer, 'content') !== undefined
}

/** Input requests in a result are separate trace entries. */
export function withoutQuestions(content: Value): Value {
  if (!isRecord(content) || own(content, 'resultType') !== 'input_required') return content
  const { inputRequests: _, ...rest } = content
  return rest
}
