/** Traces that ThoughtJack exported: one JSON object per line, no version line, neither mode nor protocol. */
import { extractProtocol, type NormalDocument, roleOf } from '@joust/oatf'
import { err, isList, isRecord, ok, own, type Value, type ValueRecord } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import { type Field, faultIn, oneOf, string, type TraceEnding, type TraceFormat, wholeNumber } from './lines.ts'

/** It records no more than this; what came later is lost without a trace in the file. */
const MOST_ENTRIES = 100_000

/** The requests of MCP that a server sends: there the roles are the other way round. */
const serverRequests: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list'])

/** Its names for the kinds of A2A answers; the operation is the one that was asked last. */
const answerKinds: ReadonlySet<string> = new Set(['task/created', 'message/response', 'unknown'])

/** A line that ThoughtJack exported. */
// biome-ignore format: a row is a line
const thoughtJackFields: readonly Field[] = [
  { name: 'seq', wanted: 'a whole number', accepts: wholeNumber },
  { name: 'timestamp', wanted: 'a time', accepts: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)) },
  { name: 'actor', wanted: 'a string', accepts: string },
  { name: 'phase', wanted: 'a string', accepts: string },
  { name: 'direction', ...oneOf('incoming', 'outgoing') },
  { name: 'method', wanted: 'a string', accepts: string },
  { name: 'content', wanted: 'a value', accepts: () => true },
]

/** A line after its fields were checked. */
interface ThoughtJackLine extends Pick<TraceEntry, 'seq' | 'actor' | 'phase' | 'content'> {
  readonly timestamp: string
  readonly direction: 'incoming' | 'outgoing'
  readonly method: string
}

/** Whether a line looks like one of ThoughtJack's. */
export function isThoughtJackLine(line: ValueRecord): boolean {
  return ['seq', 'timestamp', 'actor', 'direction', 'method'].every((name) => Object.hasOwn(line, name))
}

/** Reads lines of ThoughtJack; the modes of the actors come from the document that was run. */
export function createThoughtJackReader(
  document: NormalDocument | undefined,
  onEnding: (ending: TraceEnding) => void = () => {},
): TraceFormat {
  const turns = followTurns()
  const modes = document === undefined ? undefined : modesOf(document)
  /** The last message that each actor sent. */
  const asked = new Map<string, ThoughtJackLine>()
  let started: number | undefined
  let lines = 0
  let last = -1
  return {
    read(line) {
      lines += 1
      const fault = faultIn(line, thoughtJackFields)
      if (fault !== undefined) return err(fault)
      // Every field was checked.
      const seen = line as unknown as ThoughtJackLine
      // A summary of ThoughtJack's own that repeats messages, or stands for none.
      if (seen.method === '_accumulated_response') return ok(undefined)
      const mode = modes?.get(seen.actor)
      if (mode === undefined) return err(unknownActor(seen.actor, modes))
      if (seen.direction === 'outgoing') asked.set(seen.actor, seen)
      const time = Date.parse(seen.timestamp)
      started ??= time
      // What came after what must show in the numbers.
      last = Math.max(seen.seq, last + 1)
      const entry = { ...entryOf(seen, mode, time - started, asked.get(seen.actor)), seq: last }
      turns.take(entry)
      return ok(entry)
    },
    end() {
      const diagnostics = turns.reasons().map((message) => diagnostic('agent-failed', message))
      onEnding({ ended: 'done', diagnostics, foreign: true })
      if (lines < MOST_ENTRIES) return undefined
      return `ThoughtJack keeps ${MOST_ENTRIES} messages; whether more came cannot be known`
    },
  }
}

/** The file does not say how the run ended; what clients heard last does. */
function followTurns() {
  const open = new Set<string>()
  const failed = new Set<string>()
  return {
    take({ actor, mode, flow, surface, content }: TraceEntry) {
      if (mode !== 'ag_ui_client' && mode !== 'a2a_client') return
      if (flow === 'out') return void open.add(actor)
      const end = mode === 'ag_ui_client' ? ends.get(surface) : endOfTurn(surface, content)
      if (end !== undefined) open.delete(actor)
      if (end === 'failed') failed.add(`the agent told ${actor} that it had failed`)
    },
    reasons: () => [...failed, ...[...open].map((actor) => `the trace ends before ${actor} had its answer`)],
  }
}

type End = 'answered' | 'failed'

/** Events of AG-UI and states of a task that end a turn: to reject a task, or to ask back, is to answer. */
const ends: ReadonlyMap<Value | undefined, End> = new Map([
  ...['run_finished', 'completed', 'rejected', 'input-required'].map((name) => [name, 'answered'] as const),
  ...['run_error', 'failed', 'canceled', 'auth-required'].map((name) => [name, 'failed'] as const),
])

/** How a message ends a turn of A2A: a stream that has opened, and an artifact, do not. */
function endOfTurn(surface: string, content: Value): End | undefined {
  if (isRecord(own(content, 'error')) || typeof own(content, 'code') === 'number') return 'failed'
  if (surface === 'agent_card/get' || isList(own(content, 'parts'))) return 'answered'
  return ends.get(own(own(content, 'status'), 'state'))
}

function entryOf(line: ThoughtJackLine, mode: string, elapsed: number, asked?: ThoughtJackLine): TraceEntry {
  const flow = line.direction === 'incoming' ? 'in' : 'out'
  const backwards = mode.startsWith('mcp_') && serverRequests.has(line.method)
  // §6.1: what reaches a server is a request, what reaches a client a response. A notification answers nothing.
  const isRequest =
    line.method.startsWith('notifications/') || ((roleOf(mode) === 'server') === (flow === 'in')) !== backwards
  const unreadable = line.method === '_sse_parse_error'
  return {
    seq: line.seq,
    at: line.timestamp,
    elapsed_ms: elapsed,
    actor: line.actor,
    mode,
    protocol: extractProtocol(mode),
    phase: line.phase,
    direction: isRequest ? 'request' : 'response',
    flow,
    surface: unreadable ? '' : surfaceOf(line.method, asked?.method),
    ...(backwards ? { content: withoutEnvelope(line.content) } : withoutRequest(line, isRequest, asked)),
    ...(unreadable ? { malformed: 'an event that ThoughtJack could not read; its text was not kept' } : {}),
  }
}

/** The operation, by the names of the bindings. */
function surfaceOf(method: string, asked: string | undefined): string {
  if (method.startsWith('task/status:')) return 'task/status'
  if (method === 'interrupt') return 'custom'
  return answerKinds.has(method) ? (asked ?? method) : method
}

/**
 * ThoughtJack puts the params that a response answers into it; a trace has them beside it. An error comes without them,
 * and answers what was sent last.
 */
function withoutRequest(
  { content, direction, method }: ThoughtJackLine,
  isRequest: boolean,
  asked: ThoughtJackLine | undefined,
): Pick<TraceEntry, 'content' | 'request'> {
  if (isRequest) return { content }
  if (!isRecord(content) || !Object.hasOwn(content, '_request')) {
    return direction === 'incoming' && asked?.method === method ? { content, request: asked.content } : { content }
  }
  const { _request: request, ...rest } = content
  return { content: rest, ...(request === undefined ? {} : { request }) }
}

/** Requests of a server and their replies are recorded with the JSON-RPC envelope; a trace has what is inside. */
function withoutEnvelope(content: Value): Value {
  if (!isRecord(content) || !Object.hasOwn(content, 'jsonrpc')) return content
  if (Object.hasOwn(content, 'method')) return own(content, 'params') ?? {}
  return own(content, 'result') ?? own(content, 'error') ?? content
}

function modesOf({ attack }: NormalDocument): ReadonlyMap<string, string> {
  const known = attack.execution.actors.filter(({ mode }) => roleOf(mode) !== undefined)
  return new Map(known.map(({ name, mode }) => [name, mode]))
}

function unknownActor(actor: string, modes: ReadonlyMap<string, string> | undefined): string {
  if (modes === undefined) {
    return 'a trace of ThoughtJack names no protocols; the document that was run must be given to read it'
  }
  const known = [...modes.keys()].join(', ')
  return `the document has no actor "${actor}", so the protocol is not known; its actors are: ${known || 'none'}`
}
