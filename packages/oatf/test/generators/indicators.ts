/** Indicators of all three methods. */
import fc from 'fast-check'
import { findBinding, knownProtocols } from '../../src/bindings/table.ts'
import type { ExpressionMatch, Indicator, PatternMatch, SemanticMatch } from '../../src/model/document.ts'
import { semanticIntentClasses, severityLevels, tiers } from '../../src/model/enumerations.ts'
import { condition, shorthand } from './conditions.ts'
import { extended, fields } from './records.ts'
import { cel, prose, wildcardPath } from './text.ts'

const targeted = <T extends object>(blocks: fc.Arbitrary<T>): fc.Arbitrary<T & { target?: string }> =>
  fc
    .tuple(blocks, fc.option(wildcardPath, { nil: undefined }))
    .map(([block, target]) => (target === undefined ? block : { target, ...block }))

/** A pattern in either form. */
const pattern: fc.Arbitrary<PatternMatch> = targeted(
  fc.oneof(
    shorthand,
    condition.map((value): PatternMatch => ({ condition: value })),
  ),
)

const expression: fc.Arbitrary<ExpressionMatch> = cel

const semantic: fc.Arbitrary<SemanticMatch> = targeted(
  fields(
    {
      intent: prose,
      intent_class: fc.constantFrom(...semanticIntentClasses),
      threshold: fc.double({ min: 0, max: 1, noNaN: true }),
      examples: fields({ positive: fc.array(prose, { maxLength: 2 }), negative: fc.array(prose, { maxLength: 2 }) }, [
        'positive',
      ]),
    },
    ['intent'],
  ),
)

const block = fc.oneof(
  pattern.map((value) => ({ pattern: value }) as const),
  expression.map((value) => ({ expression: value }) as const),
  semantic.map((value) => ({ semantic: value }) as const),
)

/** What an indicator must know about its document. */
export interface Surroundings {
  readonly attackId: string | undefined
  /** Whether `execution.mode` provides a protocol for indicators that name none. */
  readonly inheritsProtocol: boolean
  readonly actors: readonly string[]
}

/** Indicators for a document; their ids leave room for those that normalization assigns. */
export function indicators(around: Surroundings): fc.Arbitrary<Indicator[]> {
  const one = (index: number): fc.Arbitrary<Indicator> => indicator(around, `${around.attackId ?? 'own'}-${50 + index}`)
  return fc
    .integer({ min: 1, max: 4 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => one(index))))
}

function indicator(around: Surroundings, id: string): fc.Arbitrary<Indicator> {
  return fc.tuple(fc.constantFrom(...knownProtocols(), 'acme_bus'), block).chain(([protocol, method]) => {
    const [key = 'pattern'] = Object.keys(method) as (keyof typeof method)[]
    const model = {
      id: fc.constant(id),
      protocol: fc.constant(protocol),
      surface: fc.constantFrom(...(findBinding(protocol)?.surfaces ?? ['bus/message'])),
      target: wildcardPath,
      actor: fc.constantFrom(...around.actors),
      direction: fc.constantFrom('request', 'response'),
      method: fc.constant(key),
      description: prose,
      ...Object.fromEntries(Object.entries(method).map(([name, value]) => [name, fc.constant(value)])),
      tier: fc.constantFrom(...tiers),
      confidence: fc.integer({ min: 0, max: 100 }),
      severity: fc.constantFrom(...severityLevels),
      false_positives: fc.array(prose, { maxLength: 2 }),
    }
    const needed = ['target', key, ...(around.inheritsProtocol ? [] : ['protocol'])]
    return extended(
      fc.record(model, {
        requiredKeys: needed as 'target'[],
        noNullPrototype: true,
      }) as unknown as fc.Arbitrary<Indicator>,
    )
  })
}
