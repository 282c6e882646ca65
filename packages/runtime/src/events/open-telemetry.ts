/**
 * Spans for runs, agents, model calls and tool calls, following the semantic conventions for generative AI. They are
 * sent by the tracer of `@opentelemetry/api`, if it is installed, or by our own exporter.
 */
import type { Attributes } from '@opentelemetry/api'
import type { EventListener, RunEvent, TokenUsage } from '../model/events.ts'

type Api = typeof import('@opentelemetry/api')

/** Creates a listener that records spans. Returns a function that returns the listener while a tracer is registered. */
export async function openTelemetryListener(): Promise<() => EventListener | undefined> {
  try {
    const api = await import('@opentelemetry/api')
    const listener = spanListener(tracerApi(api))
    return () => (hasTracer(api) ? listener : undefined)
  } catch {
    // `@opentelemetry/api` is not installed.
    return () => undefined
  }
}

function hasTracer({ trace, ProxyTracerProvider }: Api): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('@joust/runtime') !== undefined
}

interface StartedSpan {
  /** The context that makes this span the parent of other spans. */
  readonly context: unknown
  setAttributes(attributes: Attributes): void
  setError(message: string): void
  end(time: number): void
}

export interface SpanApi {
  startSpan(
    name: string,
    options: { readonly startTime: number; readonly attributes: Attributes; readonly kind: 'internal' | 'client' },
    parent: unknown,
  ): StartedSpan
}

/** Creates an API that starts spans with the registered tracer. */
export function tracerApi({ context, trace, SpanKind, SpanStatusCode }: Api): SpanApi {
  const tracer = trace.getTracer('@joust/runtime')
  return {
    startSpan(name, { kind, ...options }, parent) {
      const above = (parent as ReturnType<typeof context.active> | undefined) ?? context.active()
      const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT }
      const span = tracer.startSpan(name, { ...options, kind: kinds[kind] }, above)
      return {
        context: trace.setSpan(above, span),
        setAttributes: (attributes) => void span.setAttributes(attributes),
        setError: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
        end: (time) => span.end(time),
      }
    },
  }
}

export function spanListener(api: SpanApi): EventListener {
  const open = new Map<string, StartedSpan[]>()
  return (event) => {
    const started = startOf(event)
    if (started !== undefined) start(api, open, event, started)
    const ended = endOf(event)
    if (ended !== undefined) end(open, event, ended)
  }
}

interface Start {
  readonly key: string
  readonly parent?: string
  readonly name: string
  readonly attributes: Attributes
  /** @default 'internal' */
  readonly kind?: 'client'
}

function startOf(event: RunEvent): Start | undefined {
  const agent = keyOf(event, 'agent')
  switch (event.type) {
    case 'run-started':
      return { key: keyOf(event, 'run'), name: `run ${event.name}`, attributes: { 'joust.run.id': event.run } }
    case 'agent-started': {
      const { execution = '' } = event
      const above = execution.slice(0, Math.max(0, execution.lastIndexOf('.')))
      const parent = above === '' ? keyOf(event, 'run') : keyOf({ ...event, execution: above }, 'agent')
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': event.id,
        'joust.policy': event.policy,
      }
      return { key: agent, parent, name: `invoke_agent ${event.id}`, attributes }
    }
    case 'model-called': {
      const [provider = '', ...model] = event.model.split('/')
      const attributes = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider.replace(/\..*$/, ''),
        'gen_ai.request.model': model.join('/'),
        'joust.attempt': event.attempt,
      }
      return { key: keyOf(event, 'model'), parent: agent, name: `chat ${model.join('/')}`, attributes, kind: 'client' }
    }
    case 'tool-called': {
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': event.name,
        'gen_ai.tool.call.id': event.call,
        'gen_ai.tool.type': event.kind === 'local' ? 'function' : 'extension',
        'joust.tool.kind': event.kind,
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
      return {
        key: keyOf(event, 'model'),
        attributes: { ...tokens(event.usage), 'gen_ai.response.finish_reasons': [event.finish] },
      }
    case 'model-failed':
      return { key: keyOf(event, 'model'), attributes: { 'error.type': 'model_failed' }, error: event.reason }
    case 'tool-answered':
      return { key: keyOf(event, `tool ${event.call}`) }
    case 'tool-failed':
      return {
        key: keyOf(event, `tool ${event.call}`),
        attributes: { 'error.type': 'tool_failed' },
        error: 'the tool failed',
      }
    default:
      return undefined
  }
}

function tokens({ inputTokens, outputTokens }: Pick<TokenUsage, 'inputTokens' | 'outputTokens'>): Attributes {
  return { 'gen_ai.usage.input_tokens': inputTokens, 'gen_ai.usage.output_tokens': outputTokens }
}

/**
 * Returns the key of an open span. Only concurrent sampling requests of one agent share a key; the latest is assumed to
 * end first.
 */
function keyOf({ run, execution = '' }: Pick<RunEvent, 'run' | 'execution'>, kind: string): string {
  return kind === 'run' ? `${run} run` : `${run} ${execution} ${kind}`
}

function start(api: SpanApi, open: Map<string, StartedSpan[]>, event: RunEvent, started: Start): void {
  const { key, parent, name, attributes, kind = 'internal' } = started
  const above = parent === undefined ? undefined : open.get(parent)?.at(-1)?.context
  const span = api.startSpan(name, { startTime: event.at, attributes, kind }, above)
  open.set(key, [...(open.get(key) ?? []), span])
}

function end(open: Map<string, StartedSpan[]>, event: RunEvent, { key, attributes, error }: End): void {
  const spans = open.get(key)
  const last = spans?.pop()
  if (spans?.length === 0) open.delete(key)
  if (last === undefined) return
  if (attributes !== undefined) last.setAttributes(attributes)
  if (error !== undefined) last.setError(error)
  last.end(event.at)
  // Spans that are still open are dropped with the run.
  if (event.type === 'run-finished' || event.type === 'run-failed') {
    for (const other of open.keys()) if (other.startsWith(`${event.run} `)) open.delete(other)
  }
}
