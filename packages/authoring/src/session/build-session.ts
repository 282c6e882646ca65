/** Builds a session from trace entries, during a recording or from a trace file. */
import type { ModelEntry, Redacted, TraceEntry } from '@joust/results'
import { cut, defined, isRecord, own, ownList, ownText, type Value } from '@joust/source'
import type { Session, SessionCall, SessionServer, SessionTool } from './session.ts'

export interface SessionBuilder {
  take(entry: Redacted<TraceEntry>): void
  takeModel(entry: Redacted<ModelEntry>): void
  /** Returns the session up to now. It is redacted, because the entries are. */
  session(): Session
}

/** Maximum number of items kept per server. */
const MOST_ITEMS = 10_000
const TASK_CHARACTERS = 10_000

interface Draft {
  readonly protocol: SessionServer['protocol']
  version?: string
  instructions?: string
  card?: Value
  readonly tools: Map<string, SessionTool>
  readonly resources: Map<string, Value>
  readonly templates: Map<string, Value>
  readonly prompts: Map<string, Value>
  readonly calls: SessionCall[]
}

/** Creates a session builder. If no task is given, the first task in the entries is used. */
export function createSessionBuilder(recordedAt: string, knownTask?: string): SessionBuilder {
  const servers = new Map<string, Draft>()
  let task = knownTask
  return {
    take(entry) {
      const { actor, mode, protocol } = entry
      if (protocol === 'ag_ui' && entry.surface === 'run_agent_input') task ??= lastUserText(entry.content)
      if (!mode.endsWith('_server')) return
      const draft = servers.get(actor) ?? newDraft(protocol === 'a2a' ? 'a2a' : 'mcp')
      servers.set(actor, draft)
      if (entry.flow === 'in' && entry.direction === 'request') takeRequest(draft, entry)
      else if (entry.flow === 'out' && entry.direction === 'response' && entry.derived !== true)
        takeAnswer(draft, entry)
    },
    takeModel({ messages }) {
      const texts = messages.flatMap((message) => (message.role === 'user' ? [message.text] : []))
      const text = texts.at(-1)
      if (text !== undefined) task ??= cut(text, TASK_CHARACTERS)
    },
    session() {
      const listed = [...servers].map(([name, draft]) => serverOf(name, draft))
      return { joust_session: 1, recorded_at: recordedAt, ...defined({ task }), servers: listed }
    },
  }
}

function newDraft(protocol: SessionServer['protocol']): Draft {
  const maps = { tools: new Map(), resources: new Map(), templates: new Map(), prompts: new Map() }
  return { protocol, ...maps, calls: [] }
}

/** Records the protocol version, which requests contain since MCP 2026-07-28. */
function takeRequest(draft: Draft, { content }: TraceEntry): void {
  const version = ownText(own(content, '_meta') ?? null, 'io.modelcontextprotocol/protocolVersion')
  if (version !== undefined) draft.version = version
}

/** Methods whose responses are recorded as calls, and the field of their params that contains the name. */
const calls: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

function takeAnswer(draft: Draft, { surface, content, request = {} }: TraceEntry): void {
  if (surface === 'initialize' || surface === 'server/discover') {
    const version = ownText(content, 'protocolVersion')
    const instructions = ownText(content, 'instructions')
    Object.assign(draft, defined({ version, instructions }))
  } else if (surface === 'tools/list') keepAll(draft.tools, content, 'tools', 'name')
  else if (surface === 'resources/list') keepAll(draft.resources, content, 'resources', 'uri')
  else if (surface === 'resources/templates/list') keepAll(draft.templates, content, 'resourceTemplates', 'uriTemplate')
  else if (surface === 'prompts/list') keepAll(draft.prompts, content, 'prompts', 'name')
  else if (surface === 'agent_card/get') draft.card = content
  else {
    const call = draft.protocol === 'a2a' ? messageCall(surface, request) : namedCall(surface, request)
    if (call === undefined || draft.calls.length >= MOST_ITEMS) return
    draft.calls.push({ ...call, ...(isError(content) ? { error: content } : { result: content }) })
  }
}

/** Collects definitions by name. A later definition replaces an earlier one and keeps its position. */
function keepAll<T>(into: Map<string, T>, result: Value, list: string, key: string): void {
  for (const item of ownList(result, list)) {
    const name = ownText(item, key)
    // The items are objects with this key.
    if (name !== undefined && (into.has(name) || into.size < MOST_ITEMS)) into.set(name, item as unknown as T)
  }
}

function namedCall(method: string, params: Value): SessionCall | undefined {
  const key = calls[method]
  if (key === undefined) return undefined
  return { method, name: ownText(params, key) ?? '', ...defined({ arguments: own(params, 'arguments') }) }
}

const messages = new Set(['message/send', 'message/stream', 'SendMessage', 'SendStreamingMessage'])

function messageCall(method: string, params: Value): SessionCall | undefined {
  return messages.has(method) ? { method, name: '', arguments: params } : undefined
}

/** True for a JSON-RPC error object. Results of the recorded methods have neither key. */
function isError(content: Value): boolean {
  return isRecord(content) && typeof own(content, 'code') === 'number' && typeof own(content, 'message') === 'string'
}

function serverOf(name: string, draft: Draft): SessionServer {
  const { protocol, version, instructions, card, tools, resources, templates, prompts } = draft
  const filled = (map: ReadonlyMap<string, Value>) => (map.size === 0 ? undefined : [...map.values()])
  return {
    ...{ name, protocol, ...defined({ version, instructions }), tools: [...tools.values()] },
    ...defined({ resources: filled(resources), resource_templates: filled(templates), prompts: filled(prompts), card }),
    ...(draft.calls.length > 0 && { calls: [...draft.calls] }),
  }
}

function lastUserText(input: Value): string | undefined {
  const texts = ownList(input, 'messages').flatMap((message) => {
    const content = ownText(message, 'content')
    return ownText(message, 'role') === 'user' && content !== undefined ? [content] : []
  })
  const text = texts.at(-1)
  return text === undefined ? undefined : cut(text, TASK_CHARACTERS)
}
