/** Exports run spans over OTLP/HTTP as JSON, configured with the standard environment variables. Needs no library. */
import { messageOf } from '@joust/source'
import { throwCause } from '../model/errors.ts'
import type { EventListener } from '../model/events.ts'
import { runtimeLimits } from '../model/limits.ts'
import { type SpanApi, spanListener } from './open-telemetry.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** An exporter created by {@link createSpanExporter}. */
export interface SpanExporter {
  readonly onEvent: EventListener
  /** Sends the remaining spans and waits for the collector up to its timeout. Never rejects. */
  close(): Promise<void>
}

/** Options for {@link createSpanExporter}. */
export interface SpanExporterOptions {
  readonly env: Environment
  /** Called for the first request that fails, and once if spans are dropped. */
  readonly onFault: (message: string) => void
  /** Returns a number from 0 (inclusive) to 1 (exclusive). @default `Math.random` */
  readonly random?: () => number
  /** @default the global function */
  readonly fetch?: typeof fetch
}

/**
 * Creates an exporter. Returns undefined if `OTEL_SDK_DISABLED` is `true`, or if neither a collector nor
 * `OTEL_TRACES_EXPORTER=otlp` is set.
 *
 * @example
 * const exporter = createSpanExporter({ env: process.env, onFault: (message) => console.error(message) })
 * const runtime = createRuntime({ onEvent: (event) => exporter?.onEvent(event) })
 */
export function createSpanExporter(options: SpanExporterOptions): SpanExporter | undefined {
  const { env, onFault, random = Math.random } = options
  const url = tracesUrl(env)
  if (url === undefined || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const spans: FinishedSpan[] = []
  const pending = new Set<Promise<void>>()
  let failed = false
  let dropped = false
  const send = () => {
    if (spans.length === 0) return
    const body = JSON.stringify(requestOf(spans.splice(0), env))
    const sent: Promise<void> = post(url, body, options)
      .catch((thrown: unknown) => {
        if (!failed) onFault(`OpenTelemetry: ${url} did not accept the spans: ${messageOf(thrown)}`)
        failed = true
      })
      .finally(() => pending.delete(sent))
    pending.add(sent)
  }
  const listener = spanListener(
    spanApi(random, (span) => {
      if (spans.length >= runtimeLimits.bufferedSpans || pending.size >= runtimeLimits.exportRequests) {
        if (!dropped) onFault('OpenTelemetry: the collector is too slow; spans are dropped')
        dropped = true
        return
      }
      spans.push(span)
    }),
  )
  return {
    onEvent(event) {
      listener(event)
      if (event.type === 'run-finished' || event.type === 'run-failed') send()
    },
    async close() {
      send()
      await Promise.allSettled(pending)
    },
  }
}

/** The specification's default endpoint, used if only the exporter is selected. */
const DEFAULT_COLLECTOR = 'http://localhost:4318/v1/traces'

function tracesUrl(env: Environment): string | undefined {
  if (env.OTEL_TRACES_EXPORTER?.trim() === 'none') return undefined
  const traces = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() ?? ''
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() ?? ''
  if (traces !== '') return traces
  if (base !== '') return `${base.replace(/\/+$/, '')}/v1/traces`
  return env.OTEL_TRACES_EXPORTER?.trim() === 'otlp' ? DEFAULT_COLLECTOR : undefined
}

async function post(url: string, body: string, { env, fetch: send = fetch }: SpanExporterOptions): Promise<void> {
  const timeout = Number(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT)
  const signal = AbortSignal.timeout(timeout > 0 ? timeout : runtimeLimits.exportMs)
  const headers = { 'content-type': 'application/json', ...headersOf(env) }
  const response = await send(url, { method: 'POST', body, headers, signal, redirect: 'manual' }).catch(throwCause)
  await response.body?.cancel()
  if (!response.ok) throw new Error(`status ${response.status}`)
}

/** Parses `name=value,name=value` with percent-encoded values. */
function headersOf(env: Environment): Record<string, string> {
  return pairsOf(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS ?? '')
}

function pairsOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]]
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type Attributes = Readonly<Record<string, unknown>>

interface SpanIds {
  readonly traceId: string
  readonly spanId: string
}

interface FinishedSpan extends SpanIds {
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly start: number
  readonly end: number
  readonly attributes: Attributes
  readonly error: string | undefined
}

/** Creates the part of the OpenTelemetry API that the listener uses; `add` receives finished spans. */
function spanApi(random: () => number, add: (span: FinishedSpan) => void): SpanApi {
  const hex = (bytes: number) =>
    Array.from({ length: bytes }, () =>
      Math.floor(random() * 256)
        .toString(16)
        .padStart(2, '0'),
    ).join('')
  return {
    startSpan(name, { startTime, attributes, kind }, parent) {
      const above = parent as SpanIds | undefined
      const ids = { traceId: above?.traceId ?? hex(16), spanId: hex(8) }
      const all: Record<string, unknown> = { ...attributes }
      let error: string | undefined
      return {
        context: ids,
        setAttributes: (more) => void Object.assign(all, more),
        setError: (message) => {
          error = message
        },
        end(time) {
          const parentSpanId = above === undefined ? {} : { parentSpanId: above.spanId }
          add({ ...ids, ...parentSpanId, name, kind: KINDS[kind], start: startTime, end: time, attributes: all, error })
        },
      }
    },
  }
}

const KINDS = { internal: 1, client: 3 } as const

/** Creates the OTLP request. Times are nanoseconds, as strings. */
function requestOf(spans: readonly FinishedSpan[], env: Environment): unknown {
  const resource = { ...pairsOf(env.OTEL_RESOURCE_ATTRIBUTES ?? '') }
  const service = env.OTEL_SERVICE_NAME ?? resource['service.name'] ?? 'joust'
  const attributes = listOf({ ...resource, 'service.name': service })
  const all = spans.map(({ start, end, error, attributes, ...span }) => ({
    ...span,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: listOf(attributes),
    status: error === undefined ? {} : { code: 2, message: error },
  }))
  return {
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: '@joust/runtime' }, spans: all }] }],
  }
}

function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds)}000000`
}

function listOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }))
}

function otlpValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(otlpValue) } }
  return { stringValue: String(value) }
}
