/** Questions of MCP servers: they reach the agent only where its client accepts them. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { takesQuestion, toldAbilities } from '../model/client-abilities.ts'
import type { TraceEntry } from '../model/trace-entry.ts'

/** What clients can be asked, in words. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitations'],
  ['sampling/createMessage', 'sampling requests'],
])

/** What became of a question. */
interface QuestionEnds {
  taken(entry: TraceEntry): void
  /** The client does not accept such questions, which are `kind` in words. */
  untaken(entry: TraceEntry, kind: string): void
}

interface Asked {
  readonly entry: TraceEntry
  readonly kind: string
  /** Whether the client has announced that it accepts them. */
  readonly announced: boolean
}

/** Follows the questions of a trace. */
export function createQuestions({ taken, untaken }: QuestionEnds) {
  const told = new Map<string, ValueRecord>()
  const open = new Map<string, Asked[]>()
  const settle = ({ entry, kind }: Asked, isTaken: boolean) => (isTaken ? taken(entry) : untaken(entry, kind))
  return {
    /** Takes an entry; false when it is not a question, so there is nothing to wait for. */
    take(entry: TraceEntry): boolean {
      const { mode, flow, direction, surface, content } = entry
      if (mode !== 'mcp_server' || entry.malformed !== undefined) return false
      const client = JSON.stringify([entry.actor, entry.session])
      const key = `${client} ${surface}`
      if (flow === 'in') {
        const abilities = direction === 'request' ? toldAbilities(surface, content) : undefined
        if (abilities !== undefined) told.set(client, abilities)
        const asked = direction === 'response' ? open.get(key)?.shift() : undefined
        if (asked !== undefined) settle(asked, isAnswer(asked, content))
        return false
      }
      const kind = kinds.get(surface)
      if (kind === undefined || direction !== 'request') return false
      const asked = { entry, kind, announced: takesQuestion(told.get(client), surface, content) }
      open.set(key, [...(open.get(key) ?? []), asked])
      return true
    },
    /** No more answers will come. */
    finish() {
      // A client that accepts questions may still be thinking.
      for (const asked of [...open.values()].flat()) settle(asked, asked.announced)
      open.clear()
    },
  }
}

const METHOD_NOT_FOUND = -32601

/** Whether an answer shows that somebody was asked; a client that announced the question may refuse with an error. */
function isAnswer({ entry: { surface }, announced }: Asked, answer: Value): boolean {
  if (!isRecord(answer)) return announced
  if (announced) return own(answer, 'code') !== METHOD_NOT_FOUND
  if (surface === 'elicitation/create') return ['accept', 'decline', 'cancel'].includes(String(own(answer, 'action')))
  return own(answer, 'content') !== undefined
}

/** What a result itself shows the agent: questions in it are separate entries of the trace. */
export function withoutQuestions(content: Value): Value {
  if (!isRecord(content) || own(content, 'resultType') !== 'input_required') return content
  const { inputRequests: _, ...rest } = content
  return rest
}
