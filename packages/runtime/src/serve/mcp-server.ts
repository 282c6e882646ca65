/** The MCP server for one connection. */
import type { Agent } from '@joust/agentformat'
import { linkSignals, onAbort } from '@joust/io'
import { defined, isRecord, own, type Result, type ValueRecord } from '@joust/source'
import {
  inputRequired,
  inputResponse,
  type Notification,
  type ProgressToken,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { schemaValidator } from '../connectors/mcp-validator.ts'
import type { ApprovalAnswer, Approver } from '../model/approval.ts'
import type { RunError } from '../model/errors.ts'
import type { EventListener, RunEvent } from '../model/events.ts'
import { toValue } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { ServedResult } from '../model/options.ts'
import type { Runtime } from '../runtime.ts'
import { type HeldRequest, type HeldRun, holdOptions, holdRun, TOO_MANY } from './held-run.ts'
import { requireReady, type ServeOptions } from './http.ts'
import { type AgentTool, agentTools, errorResult } from './mcp-tools.ts'

export interface McpHost {
  readonly runtime: Runtime
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly memoryScope: string | undefined
  readonly asksClient: boolean
  readonly approvalMs?: number | undefined
  /** Calls that wait for approval, by request id. */
  readonly held: Map<string, McpCall>
  readonly stopping: AbortController
}

/** Prepares agents for serving. Rejects with the `RunFailure` that every run of one of them would cause. */
export async function openMcpHost(
  runtime: Runtime,
  agents: Agent | readonly Agent[],
  options: Pick<ServeOptions, 'memoryScope' | 'prepare' | 'approvals' | 'approvalMs'>,
): Promise<McpHost> {
  const served = 'document' in agents ? [agents] : agents
  await requireReady(runtime, served, options)
  const { memoryScope, approvals, approvalMs } = options
  const stopping = new AbortController()
  const held = new Map<string, McpCall>()
  onAbort(stopping.signal, () => {
    for (const { controller } of held.values()) controller.abort(stopping.signal.reason)
  })
  const asksClient = approvals === 'client'
  return { runtime, tools: agentTools(served), memoryScope, asksClient, approvalMs, held, stopping }
}

/** Creates a connection's server. `signalOf` returns a signal that is aborted when the client disconnects. */
export function createMcpServer(
  host: McpHost,
  signalOf: (id: string | number) => AbortSignal | undefined = () => undefined,
): Server {
  const { tools, stopping } = host
  const capabilities = { capabilities: { tools: {} }, jsonSchemaValidator: schemaValidator }
  const server = new Server(serverInfo(tools), capabilities)
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map(({ definition }) => definition) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name)
    if (tool === undefined) throw invalid(`unknown tool ${JSON.stringify(params.name)}`)
    const args = toValue(params.arguments ?? {})
    if (!args.ok || !isRecord(args.value)) throw invalid('arguments must be an object')
    const progress = createProgress(mcpReq._meta?.progressToken, mcpReq.notify)
    const state = mcpReq.requestState<unknown>()
    const answer = approvalOf(inputResponse(mcpReq.inputResponses, APPROVAL))
    const run = state === undefined ? startCall(host, tool, args.value) : continueCall(host, state, answer)
    if (run === undefined)
      return errorResult({ code: 'approval_denied', message: 'unknown or expired approval request' })
    run.onEvent = progress?.take
    const link = linkSignals([mcpReq.signal, stopping.signal, signalOf(mcpReq.id)])
    const removeListener = onAbort(link.signal, () => run.controller.abort(link.signal.reason))
    try {
      const isModern = (server.getNegotiatedProtocolVersion() ?? '') >= FIRST_MODERN
      const stop = isModern ? await run.held.next() : await run.held.end(elicitor(server, host, mcpReq.id, link.signal))
      if ('asked' in stop) {
        host.held.set(stop.asked.id, run)
        return approvalRequest(stop.asked)
      }
      const outcome = stop.ended
      return outcome.ok ? tool.resultOf(outcome.value.output ?? null) : errorResult(outcome.error)
    } finally {
      run.onEvent = undefined
      removeListener()
      link.close()
      // Clients reject notifications that follow the result.
      await progress?.sent()
    }
  })
  return server
}

/** A tool call, which may span several requests. */
interface McpCall {
  readonly held: HeldRun<Result<ServedResult, RunError>>
  readonly controller: AbortController
  /** Receives the events for the current request. */
  onEvent: EventListener | undefined
}

function startCall(host: McpHost, tool: AgentTool, args: ValueRecord): McpCall {
  const { runtime, memoryScope, held, asksClient } = host
  const controller = new AbortController()
  const options = { memoryScope, signal: controller.signal, onEvent: (event: RunEvent) => call.onEvent?.(event) }
  const start = (approve: Approver) => {
    const mayAsk: Approver = (...given) => (held.size < runtimeLimits.heldRuns ? approve(...given) : TOO_MANY)
    const ending = runtime.run(tool.agent, tool.inputOf(args), { ...options, ...(asksClient && { approve: mayAsk }) })
    return ending.finally(() => {
      for (const [id, one] of held) if (one === call) held.delete(id)
    })
  }
  const call: McpCall = { held: holdRun(start, holdOptions(defined(host))), controller, onEvent: undefined }
  return call
}

/** Passes the client's answer to the waiting call and returns that call; undefined if no such call exists. */
function continueCall({ held }: McpHost, state: unknown, approved: boolean): McpCall | undefined {
  const call = typeof state === 'string' ? held.get(state) : undefined
  if (call === undefined || typeof state !== 'string') return undefined
  held.delete(state)
  return call.held.answer(state, answerOf(approved)) ? call : undefined
}

function answerOf(approved: boolean): ApprovalAnswer {
  return { approved, reason: approved ? 'approved by the client' : 'denied by the client' }
}

const APPROVAL = 'approval'

/** The first version in which results can request input. In earlier versions, servers send requests during a call. */
const FIRST_MODERN = '2026-07-28'

function approvalRequest(asked: HeldRequest) {
  const inputRequests = { [APPROVAL]: inputRequired.elicit(elicitation(asked)) }
  return inputRequired({ inputRequests, requestState: asked.id })
}

/** Requests approval from a client of an earlier version. Anything but explicit approval is a denial. */
function elicitor(server: Server, host: McpHost, relatedRequestId: string | number, signal: AbortSignal) {
  const { timeoutMs: timeout } = holdOptions(defined(host))
  return async (asked: HeldRequest): Promise<ApprovalAnswer> => {
    if (server.getClientCapabilities()?.elicitation === undefined)
      return { approved: false, reason: 'the client does not support elicitation' }
    const params = { mode: 'form' as const, ...elicitation(asked) }
    const options = { relatedRequestId, signal, timeout }
    const response = await server.request({ method: 'elicitation/create', params }, options)
    return answerOf(approvalOf(response))
  }
}

function elicitation({ request: { message, target, args } }: HeldRequest) {
  const approve = { type: 'boolean' as const, title: `Approve ${target}?`, description: JSON.stringify(args) }
  return { message, requestedSchema: { type: 'object' as const, properties: { approve }, required: ['approve'] } }
}

function approvalOf(response: unknown): boolean {
  return own(response, 'action') === 'accept' && own(own(response, 'content'), 'approve') === true
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

function serverInfo(tools: ReadonlyMap<string, AgentTool>): { name: string; version: string; title?: string } {
  const [first, ...others] = tools.values()
  if (first === undefined || others.length > 0) return { name: 'agents', version: '1' }
  const { id, version, name } = first.agent.document.metadata
  return { name: id, version, title: name }
}

/** Sends a progress notification for each step of a run; undefined if the client sent no token. */
function createProgress(
  progressToken: ProgressToken | undefined,
  notify: (notification: Notification) => Promise<void>,
): { readonly take: EventListener; sent(): Promise<void> } | undefined {
  if (progressToken === undefined) return undefined
  let progress = 0
  let sent = Promise.resolve()
  return {
    take(event) {
      const message = stepText(event)
      if (message === undefined) return
      progress += 1
      const params = { progressToken, progress, message }
      // Errors are ignored, because a disconnect aborts the run through its signal.
      sent = sent.then(() => notify({ method: 'notifications/progress', params })).catch(() => {})
    },
    sent: () => sent,
  }
}

function stepText(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'agent-started':
      return `${event.id} started`
    case 'agent-finished':
      return `${event.agent.at(-1) ?? 'the agent'} finished`
    case 'model-called':
      return 'calling the model'
    case 'model-answered':
      return 'the model answered'
    case 'model-failed':
      return 'the model failed'
    case 'approval-asked':
      return `waiting for approval of ${event.target}`
    case 'approval-answered':
      return `${event.target} was ${event.approved ? 'approved' : 'denied'}`
    case 'tool-called':
      return `calling ${event.name}`
    case 'tool-answered':
      return `${event.name} answered`
    case 'tool-failed':
      return `${event.name} failed`
    default:
      return undefined
  }
}
