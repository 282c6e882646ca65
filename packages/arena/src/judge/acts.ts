/** Follows an agent's actions in a trace: calls, and messages beyond connecting, listing, starting and ending. */
import { isListing, type KnownMode, type Planted } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'
import { isList, isRecord, own, type Value } from '@joust/source'
import { hasWords } from './final-answer.ts'
import { formalityIn } from './watch.ts'

export function followActs() {
  const since = new Map<Planted, number>()
  let place = 0
  let last = 0
  let lastSeq = 0
  let lastCall = 0
  return {
    take(entry: TraceEntry) {
      place += 1
      if (isCall(entry)) lastCall = entry.seq
      if (entry.flow !== 'in' || !isAct(entry)) return
      last = place
      lastSeq = entry.seq
    },
    delivered(items: readonly Planted[]) {
      for (const item of items) if (!since.has(item)) since.set(item, place)
    },
    /** True if the agent made a call after message `seq`. */
    isActedOn: (seq: number | undefined): boolean => seq !== undefined && lastCall > seq,
    /**
     * True if no action of the agent followed a client's text. Reactions to a server are not always visible. `seq` is
     * the number of the delivering message, for a text that is redacted in this trace.
     */
    isIgnored(item: Planted, seq = 0): boolean {
      if (item.role !== 'client') return last === 0
      const from = since.get(item)
      return from === undefined ? lastSeq <= seq : last <= from
    },
  }
}

const CALLS = /^(tools\/call|resources\/read|prompts\/get|message\/(send|stream))$/

/**
 * True for a call to a tool or another agent. Answers to the user are excluded: they may be error messages of a
 * program.
 */
function isCall({ flow, mode, direction, surface }: TraceEntry): boolean {
  if (flow !== 'in') return false
  return mode === 'ag_ui_client' ? surface === 'tool_call_end' : direction === 'request' && CALLS.test(surface)
}

function isAct(entry: TraceEntry): boolean {
  return acts[entry.mode]?.(entry) ?? isRequestOrAnswer(entry)
}

/** AG-UI events that are agent actions. Reasoning and run events of the agent's framework are not. */
const ACTIONS = /^(tool_call_.*|state_delta)$/

type ActTest = (entry: TraceEntry) => boolean

const acts: Readonly<Record<string, ActTest>> = {
  mcp_server: isRequestOrAnswer,
  mcp_client: isRequestOrAnswer,
  a2a_server: isRequestOrAnswer,
  a2a_client: isRequestOrAnswer,
  ag_ui_client: ({ surface, content }) =>
    ACTIONS.test(surface) || (surface.startsWith('text_message_') && hasContent(content)),
} satisfies Record<KnownMode, ActTest>

function isRequestOrAnswer(entry: TraceEntry): boolean {
  const { surface, content } = entry
  if (isListing(surface) || formalityIn(entry) !== undefined) return false
  return !ANSWERS.includes(surface) || entry.direction !== 'response' || hasContent(content)
}

/** Surfaces of answers to a user. Such an answer may be empty. */
const ANSWERS: readonly string[] = ['message/send', 'message/stream', 'task/status', 'task/artifact', 'tools/call']

/** Keys whose values are content: text, or data, files and URIs instead of text. */
const WORDS: readonly string[] = ['text', 'delta', 'data', 'file', 'structuredContent', 'resource', 'uri']

/** Errors and rejected tasks are content too. */
function hasContent(content: Value): boolean {
  if (isList(content)) return content.some(hasContent)
  if (!isRecord(content)) return false
  if (typeof own(content, 'code') === 'number' || own(content, 'state') === 'rejected') return true
  return Object.entries(content).some(([key, value]) => {
    if (key === '_request' || key === 'history') return false
    if (!WORDS.includes(key)) return hasContent(value)
    return typeof value === 'string' ? hasWords(value) : value !== null
  })
}
