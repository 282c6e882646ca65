/** `results.json`, field by field, in the order in which it is written. `model.ts` has the same as types. */
import { categories, indicatorMethods, relationships, severityLevels } from '@joust/oatf'
import {
  isList,
  isRecord,
  type ObjectShape,
  own,
  type Shape,
  setOwn,
  shapes,
  type Value,
  type ValueRecord,
} from '@joust/source'
import { outcomes } from '../model/outcome.ts'
import { RESULTS_VERSION, stopReasons, targetKinds } from './model.ts'
import { assessment, counts, object, tier, trialShape } from './trial-shape.ts'

const { boolean, count, enumeration, exactly, list, map, number, optional, prose, required, text, time } = shapes

const indicator = object(
  {
    id: required(text),
    protocol: optional(text),
    surface: optional(text),
    actor: optional(text),
    direction: optional(text),
    target: required(text),
    method: required(enumeration(indicatorMethods)),
    tier: optional(tier),
    severity: optional(enumeration(severityLevels)),
    confidence: optional(count()),
    description: optional(prose),
    line: optional(count(1)),
    agreement: optional(counts('right', 'of')),
  },
  'indicator',
  'An indicator as the document has it.',
)

const mapping = object(
  {
    framework: required(text),
    id: required(text),
    name: optional(text),
    url: optional(text),
    relationship: optional(enumeration(relationships)),
  },
  'mapping',
  'A technique of a framework.',
)

const attack = object({
  id: optional(text),
  name: required(prose),
  severity: optional(enumeration(severityLevels)),
  confidence: optional(count()),
  category: optional(enumeration(categories)),
  protocols: required(list(text)),
  tags: optional(list(text)),
  mappings: optional(list(mapping)),
  description: optional(prose),
  text: optional(prose),
  adapted: optional(object({ parent: required(text), by: required(list(text)) })),
  indicators: required(list(indicator)),
  task: optional(list(indicator)),
})

const attackResult = object(
  {
    file: required(text),
    fingerprint: required(text),
    attack: required(attack),
    ...assessment,
    trials: required(list(trialShape)),
  },
  'attack',
  'One attack with all of its trials; its outcome is that of the worst of them.',
)

/** The outcome of a control. */
export const controlShape = object({
  status: required(enumeration(['passed', 'failed', 'skipped'])),
  asked: optional(enumeration(['tool_call', 'answer'])),
  reasons: required(list(prose)),
  duration_ms: optional(number),
  answer: optional(prose),
  mcp_version: optional(prose),
})

const share = counts('done', 'of')

export const hardeningShape = object(
  {
    restraints: required(
      list(object({ kind: required(text), file: required(prose), text: required(prose), weak: optional(boolean) })),
    ),
    attacks: required(
      list(
        object({
          file: required(text),
          status: required(enumeration(['stopped', 'harmless', 'open', 'undecided'])),
          before: required(enumeration(outcomes)),
          after: optional(enumeration(outcomes)),
          by: required(list(prose)),
          alternatives: required(list(prose)),
          task: optional(object({ before: required(share), after: optional(share) })),
          reason: optional(prose),
        }),
      ),
    ),
    diff: required(prose),
    cost: required(counts('sets', 'runs', 'calls', 'tokens')),
    stopped: optional(prose),
  },
  'hardening',
  'What would have stopped the attacks: the smallest set of restraints, shown by runs.',
)

const modelCost = counts('calls', 'tokens')

const search = object(
  {
    success: required(enumeration(['static', 'adaptive', 'none'])),
    tries: required(count()),
    rounds: required(count()),
    attacker: required(text),
    cost: required(object({ agent: required(modelCost), attacker: required(modelCost) })),
  },
  'search',
  'What an attacker who tries again needed: tries until success, and what the models used.',
)

const target = object(
  {
    kind: required(enumeration(targetKinds)),
    name: required(prose),
    details: optional(map(prose)),
    judge: optional(object({ engine: required(text), model: required(text), version: optional(text) })),
    control: optional(controlShape),
    mcp_version: optional(prose),
    attacks: required(list(attackResult)),
    hardening: optional(hardeningShape),
    search: optional(search),
  },
  'target',
  'Who was attacked, and what came of it.',
)

/** The whole file. */
export const resultsShape = object({
  version: required(exactly(RESULTS_VERSION)),
  joust: required(text),
  started_at: required(time),
  finished_at: required(time),
  suite: required(object({ trials: required(count(1)), fingerprint: required(text) })),
  stopped: optional(
    object({
      reason: required(enumeration(stopReasons)),
      message: required(prose),
    }),
  ),
  targets: required(list(target)),
})

/** Changes each text while a value is copied. */
type Rewrite = (text: string) => string

/** A copy with only the known fields. Goes as deep as the shape does; `prose` rewrites what others have said. */
export function pick(value: Value, shape: Shape, prose: Rewrite = (text) => text): Value {
  if (shape.kind === 'prose') return typeof value === 'string' ? prose(value) : value
  if (shape.kind === 'list' && isList(value)) return value.map((item) => pick(item, shape.item, prose))
  if (shape.kind === 'map' && isRecord(value)) return pickAll(value, shape.item, prose)
  if (shape.kind === 'object' && isRecord(value)) return pickFields(value, shape, prose)
  return value
}

function pickFields(record: ValueRecord, { fields }: ObjectShape, prose: Rewrite): Value {
  const picked: ValueRecord = {}
  for (const [name, { shape }] of Object.entries(fields)) {
    const value = own(record, name)
    if (value !== undefined) setOwn(picked, name, pick(value, shape, prose))
  }
  return picked
}

function pickAll(record: ValueRecord, item: Shape, prose: Rewrite): Value {
  const picked: ValueRecord = {}
  for (const name of Object.keys(record).sort()) setOwn(picked, name, pick(record[name] ?? null, item, prose))
  return picked
}
