/** Parses ThoughtJack traces: one JSON object per line, without a version line, modes or protocols. */
import { extractProtocol, type NormalDocument, roleOf } from '@joust/oatf'
import { err, isList, isRecord, ok, own, type Value, type ValueRecord } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import { type Field, faultIn, oneOf, string, type TraceEnding, type TraceFormat, wholeNumber } from './lines.ts'

/** Maximum number of entries. ThoughtJack silently drops further entries. */
const MOST_ENTRIES = 100_000

/** MCP requests from servers to clients. */
const serverRequests: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list'])

/** ThoughtJack's names for A2A responses, whose operation is that of the last request. */
const answerKinds: ReadonlySet<string> = new Set(['task/created', 'message/response', 'unknown'])

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

interface ThoughtJackLine extends Pick<TraceEntry, 'seq' | 'actor' | 'phase' | 'content'> {
  readonly timestamp: string
  readonly direction: 'incoming' | 'outgoing'
  readonly method: string
}

export function isThoughtJackLine(line: ValueRecord): boolean {
  return ['seq', 'timestamp', 'actor', 'direction', 'method'].every((name) => Object.hasOwn(line, name))
}

/** Creates a line parser. The document specifies the modes of the actors. */
export function createThoughtJackReader(
  document: NormalDocument | undefined,
  onEnding: (ending: TraceEnding) => void = () => {},
): TraceFormat {
  const turns = followTurns()
  const modes = document === undefined ? undefined : modesOf(document)
  const requests = new Map<string, ThoughtJackLine>()
  let started: number | undefined
  let lines = 0
  let last = -1
  return {
    read(line) {
      lines += 1
      const fault = faultIn(line, thoughtJackFields)
      if (fault !== undefined) return err(fault)
      // All fields were checked.
      const message = line as unknown as ThoughtJackLine
      // This summary repeats earlier messages.
      if (message.method === '_accumulated_response') return ok(undefined)
      const mode = modes?.get(message.actor)
      if (mode === undefined) return err(unknownActor(message.actor, modes))
      if (message.direction === 'outgoing') requests.set(message.actor, message)
      const time = Date.parse(message.timestamp)
      started ??= time
      // Sequence numbers must increase.
      last = Math.max(message.seq, last + 1)
      const entry = { ...entryOf(message, mode, time - started, requests.get(message.actor)), seq: last }
      turns.take(entry)
      return ok(entry)
    },
    end() {
      const diagnostics = turns.reasons().map((message) => diagnostic('agent-failed', message))
      onEnding({ ended: 'done', diagnostics, foreign: true })
      if (lines < MOST_ENTRIES) return undefined
      return `the trace may be incomplete: ThoughtJack records at most ${MOST_ENTRIES} messages`
    },
  }
}

/** Infers the end of the run from the last messages to clients, because the file does not say how the run ended. */
function followTurns() {
  const open = new Set<string>()
  const failed = new Set<string>()
  return {
    take({ actor, mode, flow, surface, content }: TraceEntry) {
      if (mode !== 'ag_ui_client' && mode !== 'a2a_client') return
      if (flow === 'out') return void open.add(actor)
      const end = mode === 'ag_ui_client' ? ends.get(surface) : endOfTurn(surface, content)
      if (end !== undefined) open.delete(actor)
      if (end === 'failed') failed.add(`the agent reported a failure to ${actor}`)
    },
    reasons: () => [...failed, ...[...open].map((actor) => `the trace ends before the agent answered ${actor}`)],
  }
}

type End = 'answered' | 'failed'

/** AG-UI events and A2A task states that end a turn. A rejected task and a request for input count as answers. */
const ends: ReadonlyMap<Value | undefined, End> = new Map([
  ...['run_finished', 'completed', 'rejected', 'input-required'].map((name) => [name, 'answered'] as const),
  ...['run_error', 'failed', 'canceled', 'auth-required'].map((name) => [name, 'failed'] as const),
])

/** Returns how a message ends an A2A turn. Opening a stream or sending an artifact does not end it. */
function endOfTurn(surface: string, content: Value): End | undefined {
  if (isRecord(own(content, 'error')) || typeof own(content, 'code') === 'number') return 'failed'
  if (surface === 'agent_card/get' || isList(own(content, 'parts'))) return 'answered'
  return ends.get(own(own(content, 'status'), 'state'))
}

function entryOf(line: ThoughtJackLine, mode: string, elapsed: number, request?: ThoughtJackLine): TraceEntry {
  const flow = line.direction === 'incoming' ? 'in' : 'out'
  const backwards = mode.startsWith('mcp_') && serverRequests.has(line.method)
  // OATF §6.1: servers receive requests, clients receive responses. Notifications are never responses.
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
    surface: unreadable ? '' : surfaceOf(line.method, request?.method),
    ...(backwards ? { content: withoutEnvelope(line.content) } : withoutRequest(line, isRequest, request)),
    ...(unreadable ? { malformed: 'event that ThoughtJack could not parse; its text was not recorded' } : {}),
  }
}

function surfaceOf(method: string, requested: string | undefined): string {
  if (method.startsWith('task/status:')) return 'task/status'
  if (method === 'interrupt') return 'custom'
  return answerKinds.has(method) ? (requested ?? method) : method
}

/** Separates the request params from a response; an error contains no params and belongs to the last request. */
function withoutRequest(
  { content, direction, method }: ThoughtJackLine,
  isRequest: boolean,
  last: ThoughtJackLine | undefined,
): Pick<TraceEntry, 'content' | 'request'> {
  if (isRequest) return { content }
  if (!isRecord(content) || !Object.hasOwn(content, '_request'))
    return direction === 'incoming' && last?.method === method ? { content, request: last.content } : { content }
  const { _request: request, ...rest } = content
  return { content: rest, ...(request === undefined ? {} : { request }) }
}

/** Removes the JSON-RPC envelope, which ThoughtJack records for requests from a server and the responses to them. */
function withoutEnvelope(content: Value): Value {
  if (!isRecord(content) || !Object.hasOwn(content, 'jsonrpc')) return content
  if (Object.hasOwn(content, 'method')) return own(content, 'params') ?? {}
  return own(content, 'result') ?? own(content, 'error') ?? content
}

function modesOf({ attack }: NormalDocument): ReadonlyMap<string, string> {
  const actors = attack.execution.actors.filter(({ mode }) => roleOf(mode) !== undefined)
  return new Map(actors.map(({ name, mode }) => [name, mode]))
}

function unknownActor(actor: string, modes: ReadonlyMap<string, string> | undefined): string {
  if (modes === undefined) return 'missing document: a ThoughtJack trace does not contain the protocols of its actors'
  const names = [...modes.keys()].join(', ')
  return `unknown actor "${actor}"; actors in the document: ${names || 'none'}`
}
