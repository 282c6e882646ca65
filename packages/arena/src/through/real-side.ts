/** The connection to a real server, with a decision about each request and answers in place of the server. */
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { type DiagnosticCode, type ThroughCall, throughReads } from '@joust/results'
import {
  deepEqual,
  err,
  isRecord,
  joustVersion,
  jsonMembers,
  messageOf,
  ok,
  own,
  ownList,
  ownText,
  type Result,
  type Value,
} from '@joust/source'
import { failure, jsonRpcCodes } from '../drivers/json-rpc.ts'
import { isNotification } from '../drivers/mcp/protocol.ts'
import { connectPlainly, type PlainConnection } from '../drivers/mcp-client/plain-client.ts'
import { plainValue } from '../inventory/plain-values.ts'
import { arenaLimits } from '../model/limits.ts'
import type {
  RealListener,
  RealReply,
  RealRequest,
  RealServer,
  RealSide,
  RealTool,
  ToolDecision,
} from '../model/through.ts'
import { ALLOWED, decideTools, decideUnknown } from './decide.ts'
import { heldAnswer } from './held-answer.ts'
import { createReadGate, eachPage, LISTED, listFor } from './read-gate.ts'

/** Options for the connection to a real server. */
interface RealSideOptions {
  readonly allow?: readonly string[]
  readonly signal: AbortSignal
  readonly answerMs: number
  readonly messageBytes: number
  readonly report: (code: DiagnosticCode, message: string) => void
}

/** Creates the connection to a real server. It is opened when the agent connects. */
export function createRealSide(server: RealServer, options: RealSideOptions): RealSide {
  const { name } = server
  const { report } = options
  const gate = createToolGate(server, options)
  const count = createCount(name)
  const link = createLink(server, options)
  const mayRead = createReadGate(link.exchange)
  return {
    server: name,
    tool: gate.definition,
    start: link.start,
    hear: link.hear,
    async greet(client) {
      const opened = await link.open(client)
      return opened.ok ? ok(opened.value.greeting) : opened
    },
    async read(request) {
      const refused = isPlain(request.json) ? await mayRead(request) : UNCLEAR
      if (refused !== undefined) {
        count.addRead(request, { isPassed: false, reason: refused })
        return undefined
      }
      const reply = await link.exchange(request)
      count.addRead(request, { isPassed: true, reason: LISTED, failed: 'error' in reply })
      if (request.method === 'tools/list') gate.watch(reply)
      return reply
    },
    async call(tool, request, lay) {
      const isCurrent = await link.listChanges(gate.watch)
      const decision = isPlain(request.json)
        ? gate.decide(tool, isCurrent)
        : { ...decideUnknown(tool), reason: UNCLEAR }
      if (!decision.isPassed) {
        const { result, by } = heldAnswer(server, tool, own(request.params, 'arguments'))
        const laid = lay?.(result)
        count.add(decision, by, { isOverlaid: laid !== undefined })
        return { result: laid ?? result }
      }
      if (decision.mayChange) report('through-changed-state', `${name}: a call to ${tool}, ${MAY_CHANGE}`)
      const reply = await link.exchange(request)
      const failed = 'error' in reply || own(reply.result, 'isError') === true
      const laid = failed ? undefined : lay?.(reply.result)
      count.add(decision, 'server', { isOverlaid: laid !== undefined, failed })
      return laid === undefined ? reply : { result: laid }
    },
    answeredByDocument: (tool) =>
      count.add({ ...gate.decide(tool), isPassed: false, reason: 'the document answers' }, 'document', {}),
    harmless: (tool, schema) => plainValue(tool, schema, schema),
    calls: count.all,
    close: link.close,
  }
}

const MAY_CHANGE = 'which is allowed, may have changed something; undo the change if necessary'

/** Sends requests over a connection that the first request opens. */
function createLink(server: RealServer, options: RealSideOptions) {
  const { report, signal } = options
  const { name } = server
  let listener: RealListener | undefined
  let connecting: Promise<PlainConnection> | undefined
  let opening: Promise<Result<Opened, string>> | undefined
  let changes = 0
  let listing = Promise.resolve(true)
  const start = () => {
    connecting ??= connect(server, options, () => listener)
    // A failure is reported when the agent connects.
    connecting.catch(() => {})
    return connecting
  }
  const open = (client: Value | undefined) => {
    opening ??= openServer(start(), client).then((opened) => {
      if (!opened.ok) report('through-failed', `${name}: ${opened.error}`)
      return opened
    })
    return opening
  }
  const exchange = async ({ method, json, cancel }: RealRequest): Promise<RealReply> => {
    const opened = await open(undefined)
    if (!opened.ok) return unavailable(opened.error)
    const answer = await opened.value.connection.exchange(method, json, cancel)
    if (answer.ok) {
      const { failed, content, json: text } = answer.value
      return failed ? { error: content, json: text } : { result: content, json: text }
    }
    if (!cancel.aborted && !signal.aborted) report('through-failed', `${name}: ${method}: ${answer.error}`)
    return unavailable(answer.error)
  }
  return {
    open,
    exchange,
    start: () => void start(),
    hear(receiver: RealListener) {
      listener ??= receiver
    },
    /** Lists the tools again if the server has announced a change since the last call; returns false if this fails. */
    async listChanges(watch: (reply: RealReply) => void): Promise<boolean> {
      const opened = await open(undefined)
      const latest = opened.ok ? opened.value.connection.changes() : changes
      if (latest !== changes) {
        changes = latest
        listing = eachPage(exchange, 'tools', signal, watch)
      }
      return listing
    },
    async close() {
      await connecting?.then((connection) => connection.close()).catch(() => {})
    },
  }
}

/** Decides about calls, based on the first list of tools and its later changes. */
function createToolGate(server: RealServer, { allow, report }: RealSideOptions) {
  const { name } = server
  const decisions = new Map(decideTools(server, allow).map((decision) => [decision.tool, decision]))
  const definitions = new Map(server.tools.map((tool) => [tool.name, tool]))
  const changed = new Set<string>()
  const note = (tool: Value) => {
    const key = ownText(tool, 'name')
    if (key === undefined || changed.has(key) || changed.size >= arenaLimits.traceTools) return
    const first = definitions.get(key)
    if (first !== undefined && isSame(first, tool)) return
    changed.add(key)
    const [how, unless] =
      first === undefined
        ? ['lists a new tool', '']
        : ['lists a different definition of', ' unless they are allowed by name']
    report('through-changed', `${name} ${how} ${key}; calls to it are held back${unless}`)
  }
  return {
    definition: (tool: string) => definitions.get(tool),
    /** Records the tools of a list that differ from the first list. */
    watch(reply: RealReply): void {
      if ('result' in reply) for (const tool of ownList(reply.result, 'tools')) note(tool)
    },
    /** `isCurrent` is false if the server announced a change of its tools but could not list them. */
    decide(tool: string, isCurrent = true): ToolDecision {
      const known = decisions.get(tool)
      if (known === undefined) return decideUnknown(tool)
      if (known.reason === ALLOWED || (isCurrent && !changed.has(tool))) return known
      const reason = isCurrent
        ? 'its definition has changed since the first tool list'
        : 'its definition may have changed: the server announced a new tool list, but did not return it'
      return { tool, isPassed: false, reason, mayChange: true }
    },
  }
}

const UNCLEAR = 'its parameters have keys that servers may read differently'

/** True for the same arguments and annotations. Descriptions may differ, because no decision is based on them. */
function isSame(first: RealTool, later: Value): boolean {
  return ['inputSchema', 'annotations'].every((key) => deepEqual(own(first, key) ?? null, own(later, key) ?? null))
}

/**
 * True if all keys in the params are those of the protocol, once each and spelled exactly. Servers read repeated keys,
 * and keys in a different case, in different ways, so the decision could be about a different tool than the called one.
 */
function isPlain(json: string): boolean {
  const keys = jsonMembers(json).map(({ key }) => key)
  return new Set(keys).size === keys.length && keys.every((key) => PARAMS.has(key))
}

const PARAMS: ReadonlySet<string> = new Set([
  'name',
  'arguments',
  '_meta',
  'cursor',
  'uri',
  'level',
  'inputResponses',
  'requestState',
])

function unavailable(reason: string): RealReply {
  return failure(jsonRpcCodes.internalError, reason)
}

interface Opened {
  readonly connection: PlainConnection
  readonly greeting: RealReply
}

function connect(
  server: RealServer,
  { signal, answerMs, messageBytes }: RealSideOptions,
  listener: () => RealListener | undefined,
): Promise<PlainConnection> {
  return connectPlainly(server, {
    signal,
    answerMs,
    messageBytes,
    onMessage({ kind, method, params }) {
      if (kind === 'request') return listener()?.asked(method, params)
      if (isNotification(method)) listener()?.notified(method, params)
      return undefined
    },
  })
}

/** Performs the handshake with the identity of the agent, or none since MCP 2026-07-28. */
async function openServer(
  connecting: Promise<PlainConnection>,
  client: Value | undefined,
): Promise<Result<Opened, string>> {
  try {
    const connection = await connecting
    const hello = await connection.greetAs(isRecord(client) ? client : ANONYMOUS)
    if (!hello.ok) return hello
    const { failed, content, json } = hello.value
    if (failed) return err(`initialize: ${ownText(content, 'message') ?? 'refused'}`)
    return ok({ connection, greeting: { result: content, json } })
  } catch (thrown) {
    return err(messageOf(thrown))
  }
}

const ANONYMOUS: Value = {
  protocolVersion: DEFAULT_MCP_VERSION,
  capabilities: {},
  clientInfo: { name: 'joust', version: joustVersion },
}

interface CountedCall {
  readonly isOverlaid?: boolean
  readonly failed?: boolean
  readonly method?: ThroughCall['method']
}

interface CountedRead extends Pick<ToolDecision, 'isPassed' | 'reason'> {
  readonly failed?: boolean
}

/** Counts calls by tool, decision and origin of the answer. */
function createCount(server: string) {
  const calls = new Map<string, ThroughCall>()
  const add = (
    { tool, isPassed, reason, mayChange }: ToolDecision,
    answer: ThroughCall['answer'],
    { isOverlaid = false, failed = false, method }: CountedCall,
  ): void => {
    const isKnown = [...calls.values()].some((call) => call.tool === tool)
    // Agents may invent any number of names.
    const counted = isKnown || calls.size < arenaLimits.throughTools ? tool : OTHERS
    const decision = isPassed ? 'passed' : 'held'
    const key = JSON.stringify([method, counted, decision, answer, reason])
    const before = calls.get(key) ?? {
      server,
      ...(method && { method }),
      ...{ tool: counted, decision, answer, reason, calls: 0 },
    }
    calls.set(key, {
      ...before,
      calls: before.calls + 1,
      ...(isOverlaid && { overlaid: (before.overlaid ?? 0) + 1 }),
      ...(failed && { failed: (before.failed ?? 0) + 1 }),
      ...(isPassed && mayChange && { may_change: true as const }),
    })
  }
  return {
    add,
    /** Counts a request for a resource or prompt. Lists are not counted. */
    addRead(request: RealRequest, { isPassed, reason, failed = false }: CountedRead): void {
      const method = throughReads.find((one) => one === request.method)
      const key = listFor(request.method)?.key
      if (method === undefined || key === undefined) return
      const isRead = method === 'resources/read' || method === 'prompts/get'
      const answer = isPassed ? 'server' : isRead ? 'error' : 'schema'
      const tool = ownText(request.params, key) ?? ''
      add({ tool, isPassed, reason, mayChange: false }, answer, { failed, method })
    },
    all: () => [...calls.values()],
  }
}

const OTHERS = '(other tools)'
