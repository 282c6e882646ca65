/** Ordinary messages, built from shapes and from the document, that expressions must be able to read. */
import { isList, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import { errorShape } from '../bindings/message-shapes.ts'
import type { Shape } from '../bindings/shape.ts'
import { alternatives } from '../bindings/shape-paths.ts'
import { actorsFor, type MessageKind } from '../traffic/message-kinds.ts'
import { siteAt, sitesAt } from '../walk/walk.ts'
import type { LintContext, Subject } from './context.ts'
import { ownPayloads } from './targets.ts'

export interface Sample {
  readonly surface: string
  readonly direction: 'request' | 'response'
  readonly content: Value
}

/**
 * Returns the messages that an indicator examines in any run: minimal agent messages, and attacker messages as written.
 */
export function samplesFor(subject: Subject, context: LintContext): readonly Sample[] {
  const written = ownPayloads(subject, context).filter((payload) => !payload.echoed)
  const samples = subject.kinds.flatMap((kind): Sample[] => {
    const { row, direction } = kind
    const same = (one: Sample): boolean => one.surface === row.surface && one.direction === direction
    const expected = ownText(subject.value, 'direction') ?? direction
    if (expected !== direction || !isExpected(kind, subject, context) || written.some(same)) return []
    const request = context.payloads.find((payload) => payload.surface === row.surface && payload.echoed)
    const fromRequest: ValueRecord = kind.role === 'client' && isRecord(request?.content) ? request.content : {}
    const whole = (content: Value) =>
      direction === 'response' && isRecord(content) ? { ...content, ...fromRequest } : content
    return contents(kind, subject, context).map((one) => ({ surface: row.surface, direction, content: whole(one) }))
  })
  return [...samples, ...written]
}

/**
 * True for usual operations and the indicator's own surface. Responses to a client actor are expected only if the
 * client sends the request.
 */
function isExpected({ row, role, direction, fromAgent }: MessageKind, subject: Subject, context: LintContext): boolean {
  const named = own(subject.value, 'surface') !== undefined
  if (role === 'server') return row.usual === true || named
  if (!fromAgent) return false
  if (row.request === undefined || direction === 'request') return row.usual === true || named
  const actors = new Set(actorsFor(context.walk, subject))
  return context.payloads.some((payload) => payload.surface === row.surface && actors.has(payload.actor))
}

function contents(kind: MessageKind, subject: Subject, context: LintContext): readonly Value[] {
  const { row, role, direction, shape } = kind
  if (row.surface === 'tools/call' && direction === 'request' && role === 'server') {
    const calls = toolCalls(subject, context)
    if (calls.length > 0) return calls
  }
  const failure = role === 'client' && direction === 'response' && row.fails === true ? [errorShape] : []
  // The first alternative is the ordinary result. A task in place of a result must be requested.
  const ordinary = row.surface.startsWith('message/') ? alternatives(shape) : alternatives(shape).slice(0, 1)
  return [...ordinary, ...failure].map(sampleOf)
}

function toolCalls(subject: Subject, { walk }: LintContext): readonly Value[] {
  const phases = actorsFor(walk, subject).flatMap((actor) => actor.phases)
  const tools = phases.flatMap((phase) => siteAt(phase, 'state') ?? []).flatMap((state) => sitesAt(state, 'tools'))
  return tools.flatMap(({ value }) => {
    const name = ownText(value, 'name')
    return name === undefined ? [] : [{ name, arguments: argumentsOf(own(value, 'inputSchema')) }]
  })
}

function argumentsOf(schema: Value | undefined): Value {
  const required = own(schema, 'required')
  const properties = own(schema, 'properties')
  if (!isList(required)) return {}
  return Object.fromEntries(
    required.flatMap((name) => {
      if (typeof name !== 'string') return []
      const property = own(properties, name)
      return [[name, argumentOf(isRecord(property) ? property : {})]]
    }),
  )
}

function argumentOf(property: ValueRecord): Value {
  const choices = own(property, 'enum')
  if (isList(choices) && choices[0] !== undefined) return choices[0]
  switch (own(property, 'type')) {
    case 'number':
    case 'integer':
      return 1
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return argumentsOf(property)
    default:
      return 'text'
  }
}

function sampleOf(shape: Shape): Value {
  switch (shape.kind) {
    case 'text':
      return 'text'
    case 'number':
      return 1
    case 'boolean':
      return false
    case 'open':
      return {}
    case 'constant':
      return shape.value
    case 'list':
      return [sampleOf(shape.of)]
    case 'fields':
      return Object.fromEntries(Object.entries(shape.required).map(([name, of]) => [name, sampleOf(of)]))
    case 'choice':
      return shape.of[0] === undefined ? {} : sampleOf(shape.of[0])
  }
}
