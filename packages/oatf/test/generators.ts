/** Valid OATF documents of every kind, for property tests and benchmarks. The same seed produces the same documents. */
import fc from 'fast-check'
import type { Attack, Document, Execution } from '../src/model/document.ts'
import {
  categories,
  correlationLogics,
  impacts,
  relationships,
  severityLevels,
  statuses,
} from '../src/model/enumerations.ts'
import { actorNamesOf, execution } from './generators/execution.ts'
import { indicators } from './generators/indicators.ts'
import { extended, fields } from './generators/records.ts'
import { duration, phrase, prose } from './generators/text.ts'

const attackId = fc.constantFrom('ACME-001', 'OATF-027', 'RED-TEAM-2-1042')

const severity = fc.oneof(
  fc.constantFrom(...severityLevels),
  fields({ level: fc.constantFrom(...severityLevels), confidence: fc.integer({ min: 0, max: 100 }) }, ['level']),
)

const classification = fields({
  category: fc.constantFrom(...categories),
  mappings: fc.array(
    fields(
      {
        framework: fc.constantFrom('cwe', 'atlas', 'home_grown'),
        id: phrase,
        name: prose,
        url: phrase,
        relationship: fc.constantFrom(...relationships),
      },
      ['framework', 'id'],
    ),
    { maxLength: 2 },
  ),
  tags: fc.array(prose, { maxLength: 3 }),
})

function attackAround(profile: Execution, id: string | undefined, judged: boolean): fc.Arbitrary<Attack> {
  const around = { attackId: id, inheritsProtocol: profile.mode !== undefined, actors: actorNamesOf(profile) }
  const model = {
    ...(id === undefined ? {} : { id: fc.constant(id) }),
    name: prose,
    version: fc.integer({ min: 1, max: 9 }),
    status: fc.constantFrom(...statuses),
    created: fc.constantFrom('2026-02-15', '2026-02-15T10:30:00Z'),
    modified: fc.constantFrom('2026-03-01T00:00:00+02:00', '2026-03-01'),
    author: prose,
    description: prose,
    grace_period: duration,
    severity,
    impact: fc.uniqueArray(fc.constantFrom(...impacts), { maxLength: 3 }),
    classification,
    references: fc.array(fields({ url: phrase, title: prose, description: prose }, ['url']), { maxLength: 2 }),
    execution: fc.constant(profile),
    ...(judged
      ? { indicators: indicators(around), correlation: fields({ logic: fc.constantFrom(...correlationLogics) }) }
      : {}),
  }
  const needed = ['execution', ...(id === undefined ? [] : ['id']), ...(judged ? ['indicators'] : [])]
  return extended(
    fc.record(model, { requiredKeys: needed as 'execution'[], noNullPrototype: true }) as fc.Arbitrary<Attack>,
  )
}

/** Documents without a violation; many have warnings. */
export const documents: fc.Arbitrary<Document> = fc
  .tuple(execution, fc.option(attackId, { nil: undefined }), fc.boolean())
  .chain(([profile, id, judged]) => attackAround(profile, id, judged))
  .chain((attack) =>
    fields(
      { oatf: fc.constant('0.1'), $schema: fc.constant('https://example.org/v0.1.json'), attack: fc.constant(attack) },
      ['oatf', 'attack'],
    ),
  )

/** A fixed list of documents for a seed. */
export function sampleDocuments(count: number, seed: number): Document[] {
  return fc.sample(documents, { numRuns: count, seed })
}
