/** Checks the cases of `primitives/`: one file per function, named after the function. */
import {
  computeEffectiveState,
  type Extractor,
  type ExtractorValues,
  evaluateCondition,
  evaluateExtractor,
  evaluatePredicate,
  evaluateTrigger,
  extractProtocol,
  interpolateTemplate,
  interpolateValue,
  type MatchPredicate,
  type Phase,
  type ProtocolEvent,
  parseDuration,
  type ResponseEntry,
  resolveSimplePath,
  resolveWildcardPath,
  selectResponse,
  type Trigger,
} from '@joust/oatf'
import { isRecord, own, type Value } from '@joust/source'
import { type CaseCheck, type Failure, fields, unknownShape } from './case.ts'
import { difference } from './difference.ts'

export const primitiveChecks: { readonly [file: string]: CaseCheck } = {
  'resolve-simple-path.yaml': check(['path', 'value'], [], ({ path, value }, expected) => {
    if (typeof path !== 'string') return 'unknown'
    const result = resolveSimplePath(path, at(value))
    // `null` means that there is no value; an actual null is written as an object.
    const explicit = fields(expected, ['found', 'value'])
    if (explicit === undefined) return difference(expected === null ? undefined : expected, result)
    return difference(explicit, { found: result !== undefined, value: result ?? null })
  }),
  'resolve-wildcard-path.yaml': check(['path', 'value'], [], ({ path, value }, expected) =>
    typeof path === 'string' ? difference(expected, { values: resolveWildcardPath(path, at(value)) }) : 'unknown',
  ),
  'parse-duration.yaml': ({ input, expected }) => {
    if (typeof input !== 'string') return unknownShape('input', input)
    const parsed = parseDuration(input)
    return difference(expected, parsed.ok ? { seconds: parsed.value / 1000 } : { error: true })
  },
  'evaluate-condition.yaml': check(['condition', 'value'], [], ({ condition, value }, expected) =>
    difference(expected, evaluateCondition(at(condition), at(value))),
  ),
  'evaluate-predicate.yaml': check(['predicate', 'value'], [], ({ predicate, value }, expected) =>
    isRecord(predicate)
      ? difference(expected, evaluatePredicate(cast<MatchPredicate>(predicate), at(value)))
      : 'unknown',
  ),
  'interpolate-template.yaml': check(['template', 'extractors'], ['request', 'response'], (input, expected) => {
    const { template, extractors, request, response } = input
    if (typeof template !== 'string' || !isRecord(extractors)) return 'unknown'
    const filled = interpolateTemplate(template, cast<ExtractorValues>(extractors), side(request), side(response))
    return difference(expected, filled.value)
  }),
  'interpolate-value.yaml': check(['value', 'extractors'], ['request', 'response'], (input, expected) => {
    const { value, extractors, request, response } = input
    if (!isRecord(extractors)) return 'unknown'
    const filled = interpolateValue(at(value), cast<ExtractorValues>(extractors), side(request), side(response))
    return difference(expected, filled.value)
  }),
  'evaluate-extractor.yaml': check(['extractor', 'message', 'direction'], [], (input, expected) => {
    const { extractor, message, direction } = input
    if (!isRecord(extractor) || (direction !== 'request' && direction !== 'response')) return 'unknown'
    const captured = evaluateExtractor(cast<Extractor>(extractor), at(message), direction)
    return difference(expected === null ? undefined : expected, captured)
  }),
  'select-response.yaml': check(['entries', 'request'], [], ({ entries, request }, expected) => {
    if (!Array.isArray(entries)) return 'unknown'
    const selected = selectResponse(cast<ResponseEntry[]>(entries), at(request))
    if (selected === undefined) return difference(expected, null)
    // Fixtures contain the response without its condition.
    const { when: _, ...answer } = selected
    return difference(expected, cast<Value>(answer))
  }),
  'evaluate-trigger.yaml': check(['trigger', 'elapsed', 'state'], ['event'], (input, expected) => {
    const { trigger, event, elapsed, state } = input
    const time = typeof elapsed === 'string' ? parseDuration(elapsed) : undefined
    const count = own(state, 'event_count')
    if (!isRecord(trigger) || time?.ok !== true || typeof count !== 'number') return 'unknown'
    const counted = { event_count: count }
    const happened = isRecord(event) ? cast<ProtocolEvent>(event) : undefined
    const outcome = evaluateTrigger(cast<Trigger>(trigger), happened, time.value, counted)
    const result = outcome.advanced ? { result: 'advanced', reason: outcome.reason } : { result: 'not_advanced' }
    return difference(expected, { ...result, state: counted })
  }),
  'extract-protocol.yaml': check(['mode'], [], ({ mode }, expected) =>
    typeof mode === 'string' ? difference(expected, extractProtocol(mode)) : 'unknown',
  ),
  'compute-effective-state.yaml': check(['phases', 'phase_index'], [], (input, expected) => {
    const { phases, phase_index: index } = input
    if (!Array.isArray(phases) || typeof index !== 'number') return 'unknown'
    return difference(expected, computeEffectiveState(cast<Phase[]>(phases), index))
  }),
}

type Input = { readonly [name: string]: Value | undefined }

function check(
  required: readonly string[],
  optional: readonly string[],
  run: (input: Input, expected: Value) => Failure | undefined | 'unknown',
): CaseCheck {
  return ({ input, expected }) => {
    const record = fields(input, required, optional)
    const failure = record === undefined ? 'unknown' : run(record, expected)
    return failure === 'unknown' ? unknownShape('input', input) : failure
  }
}

function at(value: Value | undefined): Value {
  return value ?? null
}

/** Converts null to undefined. In a fixture, null means that there is no message. */
function side(value: Value | undefined): Value | undefined {
  return value ?? undefined
}

/** Casts a fixture value without validation, because primitives must accept any value. */
function cast<T>(value: unknown): T {
  return value as T
}
