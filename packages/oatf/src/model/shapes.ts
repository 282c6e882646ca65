/** The shape of every core type (SDK §2), fields in the order of the specification. */
import { shapes } from '@joust/source'
import {
  categories,
  correlationLogics,
  directions,
  elicitationActions,
  elicitationModes,
  extractorSources,
  extractorTypes,
  impacts,
  indicatorMethods,
  logLevels,
  relationships,
  semanticIntentClasses,
  severityLevels,
  statuses,
  tiers,
} from './enumerations.ts'
import { operatorNames } from './operators.ts'

const { boolean, choice, date, enumeration, integer, list, map, number, object, optional, required, text, value } =
  shapes

const matchCondition = object(
  {
    contains: optional(text),
    starts_with: optional(text),
    ends_with: optional(text),
    regex: optional(text, 'V-013'),
    any_of: optional(list(value)),
    gt: optional(number),
    lt: optional(number),
    gte: optional(number),
    lte: optional(number),
    exists: optional(boolean),
  },
  'none',
  { name: 'match_condition' },
)

const condition = choice(matchCondition, value, operatorNames)

const trigger = object({
  event: optional(text),
  count: optional(integer),
  match: optional(map(condition)),
  after: optional(text, 'V-036'),
})

const extractor = object({
  name: required(text, 'V-037'),
  source: required(enumeration(extractorSources), 'V-005'),
  type: required(enumeration(extractorTypes), 'V-005'),
  selector: required(text),
})

const action = object(
  {
    send: optional(object({ method: required(text), params: optional(value) })),
    log: optional(object({ message: required(text), level: optional(enumeration(logLevels), 'V-005') })),
  },
  'any',
)

export const phaseShape = object(
  {
    name: optional(text),
    description: optional(text),
    mode: optional(text, 'V-034'),
    state: optional(value),
    extractors: optional(list(extractor)),
    on_enter: optional(list(action)),
    trigger: optional(trigger),
  },
  'extensions',
  { name: 'phase' },
)

/** The enumerations in a state that the MCP binding brings (§7.1.4, §7.1.5); the rest of a state is free. */
export const stateEnumerations = object(
  {
    elicitation_responses: optional(list(object({ action: optional(enumeration(elicitationActions)) }, 'any'))),
    elicitations: optional(list(object({ mode: optional(enumeration(elicitationModes)) }, 'any'))),
  },
  'any',
)

export const actorShape = object(
  {
    name: required(text, 'V-031'),
    mode: required(text, 'V-031'),
    phases: required(list(phaseShape), 'V-031'),
  },
  'extensions',
  { name: 'actor' },
)

export const executionShape = object(
  {
    mode: optional(text, 'V-034'),
    state: optional(value),
    phases: optional(list(phaseShape)),
    actors: optional(list(actorShape)),
  },
  'extensions',
  { name: 'execution' },
)

const { exists: _standardFormOnly, ...shorthand } = matchCondition.fields
const pattern = object({ target: optional(text, 'V-021'), condition: optional(condition), ...shorthand }, 'none', {
  elsewhere: { exists: 'It is allowed only under "condition".' },
})

export const indicatorShape = object(
  {
    id: optional(text),
    protocol: optional(text, 'V-034'),
    surface: optional(text),
    target: required(text, 'V-021'),
    actor: optional(text, 'V-048'),
    direction: optional(enumeration(directions), 'V-005'),
    method: optional(enumeration(indicatorMethods), 'V-005'),
    description: optional(text),
    pattern: optional(pattern),
    expression: optional(object({ cel: required(text, 'V-014'), variables: optional(map(text), 'V-026') })),
    semantic: optional(
      object({
        target: optional(text, 'V-021'),
        intent: required(text),
        intent_class: optional(enumeration(semanticIntentClasses), 'V-005'),
        threshold: optional(number, 'V-022'),
        examples: optional(object({ positive: optional(list(text)), negative: optional(list(text)) })),
      }),
    ),
    tier: { ...optional(enumeration(tiers), 'V-005'), alsoRule: 'V-050' },
    confidence: optional(integer, 'V-025'),
    severity: optional(enumeration(severityLevels), 'V-005'),
    false_positives: optional(list(text)),
  },
  'extensions',
  { name: 'indicator' },
)

const severityLevel = enumeration(severityLevels)
const severityObject = object({ level: required(severityLevel, 'V-005'), confidence: optional(integer, 'V-017') })

const correlation = object({ logic: optional(enumeration(correlationLogics), 'V-005') })

/** `x-joust-task`, our extension on the attack. */
export const taskShape = object({ indicators: required(list(indicatorShape)), correlation: optional(correlation) })

export const attackShape = object(
  {
    id: optional(text, 'V-023'),
    name: optional(text),
    version: optional(integer, 'V-035'),
    status: optional(enumeration(statuses), 'V-005'),
    created: optional(date),
    modified: optional(date),
    author: optional(text),
    description: optional(text),
    grace_period: optional(text, 'V-046'),
    severity: optional(choice(severityObject, severityLevel), 'V-005'),
    impact: optional(list(enumeration(impacts)), 'V-005'),
    classification: optional(
      object({
        category: optional(enumeration(categories), 'V-005'),
        mappings: optional(
          list(
            object({
              framework: required(text),
              id: required(text),
              name: optional(text),
              url: optional(text),
              relationship: optional(enumeration(relationships), 'V-005'),
            }),
          ),
        ),
        tags: optional(list(text)),
      }),
    ),
    references: optional(list(object({ url: required(text), title: optional(text), description: optional(text) }))),
    execution: required(executionShape, 'V-004'),
    indicators: optional(list(indicatorShape)),
    correlation: optional(correlation),
  },
  'extensions',
  { name: 'attack' },
)

export const documentShape = object({
  oatf: required(text, 'V-001'),
  $schema: optional(text),
  attack: required(attackShape, 'V-003'),
})
