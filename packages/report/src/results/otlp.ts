/**
 * Renders runs as OpenTelemetry spans (OTLP JSON, GenAI conventions): a span per run, with a child span per model call
 * and per tool call.
 */
import type { ModelEntry, ModelMessage, TraceEntry } from '@joust/results'
import { fingerprint, isRecord, jsonText, own, ownText, type Value, type ValueRecord, writeJson } from '@joust/source'
import type { OpenTrace, ReportInput } from '../content/input.ts'

/** A span without its ids. */
interface PlainSpan {
  readonly name: string
  /** Milliseconds since the Unix epoch. */
  readonly start: number
  readonly end: number
  readonly attributes: ValueRecord
}

/** Renders one document with the spans of all runs. */
export async function renderOtlp(results: ReportInput, open: OpenTrace): Promise<string> {
  const resourceSpans: Value[] = []
  for (const target of results.targets) {
    const spans: Value[] = []
    for (const attack of target.attacks) {
      for (const trial of [...attack.trials, ...(attack.placebo_trials ?? [])]) {
        if (trial.trace === '') continue
        const about = { 'joust.attack': attack.attack.name, 'joust.outcome': trial.outcome, 'joust.trial': trial.trial }
        spans.push(...withIds(await runSpans(trial.trace, results, open, about), `${target.name}/${trial.trace}`))
      }
    }
    const resource = { attributes: pairs({ 'service.name': target.name, 'joust.version': results.joust }) }
    resourceSpans.push({ resource, scopeSpans: [{ scope: { name: 'joust', version: results.joust }, spans }] })
  }
  return jsonText({ resourceSpans })
}

async function runSpans(trace: string, of: ReportInput, open: OpenTrace, about: ValueRecord): Promise<PlainSpan[]> {
  const models: ModelEntry[] = []
  const entries: TraceEntry[] = []
  for await (const item of open(trace, of, { onModel: (entry) => models.push(entry) }))
    if (item.ok) entries.push(item.value)
  const calls = [...toolSpans(entries), ...models.map(modelSpan)].sort((a, b) => a.start - b.start)
  const times = entries.map(({ at }) => Date.parse(at))
  const [start = 0, end = start] = [times[0], times.at(-1)]
  const run = { 'gen_ai.operation.name': 'invoke_workflow', ...about }
  return [{ name: 'attack', start, end, attributes: run }, ...calls]
}

/** Returns the spans of tool calls to MCP servers. */
function toolSpans(entries: readonly TraceEntry[]): PlainSpan[] {
  const calls = entries.filter(({ surface, protocol }) => protocol === 'mcp' && surface === 'tools/call')
  const answers = answersTo(calls)
  return calls.flatMap((request): PlainSpan[] => {
    if (request.direction !== 'request' || !isRecord(request.content)) return []
    const answer = answers.get(request)
    const name = ownText(request.content, 'name') ?? ''
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.arguments': writeJson(own(request.content, 'arguments') ?? {}),
      ...(answer && { 'gen_ai.tool.call.result': writeJson(answer.content) }),
      'mcp.method.name': 'tools/call',
    }
    const start = Date.parse(request.at)
    return [{ name: `execute_tool ${name}`, start, end: answer ? Date.parse(answer.at) : start, attributes }]
  })
}

/** Pairs each response with the earliest open request of its session, for the same tool if the trace names it. */
function answersTo(calls: readonly TraceEntry[]): ReadonlyMap<TraceEntry, TraceEntry> {
  const answers = new Map<TraceEntry, TraceEntry>()
  const open = new Map<string, TraceEntry[]>()
  for (const call of calls) {
    const key = `${call.actor}\n${call.session ?? ''}`
    const waiting = open.get(key) ?? []
    open.set(key, waiting)
    if (call.direction === 'request') waiting.push(call)
    else {
      const index = waiting.findIndex(
        ({ content }) => call.about === undefined || ownText(content, 'name') === call.about,
      )
      const [request] = index < 0 ? [] : waiting.splice(index, 1)
      if (request !== undefined) answers.set(request, call)
    }
  }
  return answers
}

function modelSpan(entry: ModelEntry): PlainSpan {
  const { name = 'model', usage, answer, finish } = entry
  const start = Date.parse(entry.at)
  const answers: ModelMessage[] = [
    ...(answer.text === '' ? [] : [{ role: 'assistant' as const, text: answer.text }]),
    ...answer.calls.map((call) => ({ role: 'call' as const, ...call })),
  ]
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': name,
    'gen_ai.input.messages': writeJson(entry.messages.map(messageOf)),
    'gen_ai.output.messages': writeJson(answers.map(messageOf)),
    'gen_ai.response.finish_reasons': [finish.word ?? finish.kind],
    ...(usage?.input !== undefined && { 'gen_ai.usage.input_tokens': usage.input }),
    ...(usage?.output !== undefined && { 'gen_ai.usage.output_tokens': usage.output }),
  }
  return { name: `chat ${name}`, start, end: start + entry.duration_ms, attributes }
}

function messageOf(message: ModelMessage): ValueRecord {
  if (message.role === 'call') {
    const { id, name, input } = message
    return { role: 'assistant', parts: [{ type: 'tool_call', id, name, arguments: input }] }
  }
  if (message.role === 'result')
    return { role: 'tool', parts: [{ type: 'tool_call_response', id: message.id, response: message.text }] }
  return { role: message.role, parts: [{ type: 'text', content: message.text }] }
}

/** Adds ids, which are derived from hashes so that the same results yield the same bytes. */
function withIds(spans: readonly PlainSpan[], place: string): Value[] {
  const traceId = (fingerprint(place) + fingerprint(`trace ${place}`)).slice(0, 32)
  const idOf = (index: number) => fingerprint(`${index} ${place}`).slice(0, 16)
  return spans.map(({ name, start, end, attributes }, index) => ({
    traceId,
    spanId: idOf(index),
    ...(index > 0 && { parentSpanId: idOf(0) }),
    name,
    kind: 1,
    startTimeUnixNano: `${start}000000`,
    endTimeUnixNano: `${end}000000`,
    attributes: pairs(attributes),
    status: {},
  }))
}

function pairs(attributes: ValueRecord): Value[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: Value): Value {
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return { stringValue: String(value) }
}
