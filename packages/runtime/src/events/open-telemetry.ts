/** OpenTelemetry spans for runs, agents, model calls and tool calls, if `@opentelemetry/api` is installed. */
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api'
import type { EventListener, RunEvent, TokenUsage } from '../model/events.ts'

type Api = typeof import('@opentelemetry/api')

/** Creates a listener for spans; undefined if the library is not installed. */
export async function openTelemetryListener(): Promise<EventListener | undefined> {
  try {
    return spanListener(await import('@opentelemetry/api'))
  } catch {
    return undefined
  }
}

/** An open span and the context for its children. */
interface Open {
  readonly span: Span
  readonly context: Context
}

/** Creates a listener for spans with the given library. */
export function spanListener(api: Api): EventListener {
  const tracer = api.trace.getTracer('@joust/runtime')
  const open = new Map<string, Open[]>()
  return (event) => {
    const started = startOf(event)
    if (started !== undefined) start(api, tracer, open, event, started)
    const ended = endOf(event)
    if (ended !== undefined) end(api, open, event, ended)
  }
}

interface Start {
  readonly key: string
  readonly parent?: string
  readonly name: string
  readonly attributes: Attributes
}

function startOf(event: RunEvent): Start | undefined {
  const agent = keyOf(event, 'agent')
  switch (event.type) {
    case 'run-started':
      return { key: keyOf(event, 'run'), name: `run ${event.name}`, attributes: { 'joust.run.id': event.run } }
    case 'agent-started': {
      const parent =
        event.agent.length === 0 ? keyOf(event, 'run') : keyOf({ ...event, agent: event.agent.slice(0, -1) }, 'agent')
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': event.id,
        'joust.policy': event.policy,
      }
      return { key: agent, parent, name: `invoke_agent ${event.id}`, attributes }
    }
    case 'model-called': {
      const attributes = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': event.model,
        'joust.attempt': event.attempt,
      }
      return { key: keyOf(event, 'model'), parent: agent, name: `chat ${event.model}`, attributes }
    }
    case 'tool-called': {
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': event.name,
        'gen_ai.tool.call.id': event.call,
        'gen_ai.tool.type': event.kind,
      }
      return { key: keyOf(event, `tool ${event.call}`), parent: agent, name: `execute_tool ${event.name}`, attributes }
    }
    default:
      return undefined
  }
}

interface End {
  readonly key: string
  readonly attributes?: Attributes
  readonly error?: string
}

function endOf(event: RunEvent): End | undefined {
  switch (event.type) {
    case 'run-finished':
      return { key: keyOf(event, 'run'), attributes: tokens(event.usage) }
    case 'run-failed':
      return { key: keyOf(event, 'run'), attributes: tokens(event.usage), error: event.error.message }
    case 'agent-finished':
      return { key: keyOf(event, 'agent') }
    case 'agent-failed':
      return { key: keyOf(event, 'agent'), attributes: { 'error.type': event.error.code }, error: event.error.message }
    case 'model-answered':
      return { key: keyOf(event, 'model'), attributes: tokens(event.usage) }
    case 'model-failed':
      return { key: keyOf(event, 'model'), error: event.reason }
    case 'tool-answered':
      return { key: keyOf(event, `tool ${event.call}`) }
    case 'tool-failed':
      return { key: keyOf(event, `tool ${event.call}`), error: 'the tool failed' }
    default:
      return undefined
  }
}

function tokens({ inputTokens, outputTokens }: Pick<TokenUsage, 'inputTokens' | 'outputTokens'>): Attributes {
  return { 'gen_ai.usage.input_tokens': inputTokens, 'gen_ai.usage.output_tokens': outputTokens }
}

/** Keys are unique: aliases have no spaces. Concurrent executions of one agent share a key; the latest ends first. */
function keyOf({ run, agent }: Pick<RunEvent, 'run' | 'agent'>, kind: string): string {
  return `${run} ${agent.join('.')} ${kind}`
}

function start(api: Api, tracer: Tracer, open: Map<string, Open[]>, event: RunEvent, started: Start): void {
  const { key, parent, name, attributes } = started
  const above = (parent === undefined ? undefined : open.get(parent)?.at(-1)?.context) ?? api.context.active()
  const span = tracer.startSpan(name, { startTime: event.at, attributes }, above)
  open.set(key, [...(open.get(key) ?? []), { span, context: api.trace.setSpan(above, span) }])
}

function end(api: Api, open: Map<string, Open[]>, event: RunEvent, { key, attributes, error }: End): void {
  const spans = open.get(key)
  const last = spans?.pop()
  if (spans?.length === 0) open.delete(key)
  if (last === undefined) return
  if (attributes !== undefined) last.span.setAttributes(attributes)
  if (error !== undefined) last.span.setStatus({ code: api.SpanStatusCode.ERROR, message: error })
  last.span.end(event.at)
  // Spans that are still open end with the run.
  if (event.type === 'run-finished' || event.type === 'run-failed') {
    for (const other of open.keys()) if (other.startsWith(`${event.run} `)) open.delete(other)
  }
}
