/**
 * The document types of [OATF SDK §2](https://oatf.io/sdk/core-types/) and their shapes. Each field is defined once:
 * named as in the YAML, in the order of the specification, with its purpose and clause for editors and the published
 * schema. Extension fields keep their position.
 */
import { type FieldsOf, type ObjectShape, type Shape, shapes, type Value } from '@joust/source'
import {
  categories,
  correlationLogics,
  directions,
  elicitationActions,
  elicitationModes,
  extractorSources,
  extractorTypes,
  type Framework,
  impacts,
  indicatorMethods,
  logLevels,
  type Mode,
  type Protocol,
  relationships,
  semanticIntentClasses,
  severityLevels,
  statuses,
  tiers,
} from './enumerations.ts'

const { boolean, choice, date, enumeration, integer, list, map, number, object, optional, required, text, value } =
  shapes
const mode: Shape<Mode> = text
const protocol: Shape<Protocol> = text
const framework: Shape<Framework> = text
// A number that does not fit a double is out of range here, and no valid document has one.
const percent = integer as Shape<number>
const score = number as Shape<number>

/** Fields with the prefix `x-` ([OATF §10.3](https://oatf.io/specification/versioning/)). */
export interface Extensions {
  readonly [extension: `x-${string}`]: Value
}

// biome-ignore format: a row is a line
const matchConditionFields = {
  contains: optional(text, 'The text contains this string. (OATF §5.4)'),
  starts_with: optional(text, 'The text begins with this string. (OATF §5.4)'),
  ends_with: optional(text, 'The text ends with this string. (OATF §5.4)'),
  regex: optional(text, 'The text contains a match of this RE2 regular expression. (OATF §5.4)', 'V-013'),
  any_of: optional(list(value), 'The value is in this list. (OATF §5.4)'),
  gt: optional(number, 'The number is greater than this value. (OATF §5.4)'),
  lt: optional(number, 'The number is less than this value. (OATF §5.4)'),
  gte: optional(number, 'The number is greater than or equal to this value. (OATF §5.4)'),
  lte: optional(number, 'The number is less than or equal to this value. (OATF §5.4)'),
  exists: optional(boolean, 'True if the value must exist, false if it must not. (OATF §5.4)'),
}

/** Operators combined with AND (OATF SDK §2.11). */
export interface MatchCondition extends FieldsOf<typeof matchConditionFields> {}
export const matchConditionShape: ObjectShape<MatchCondition> = object(matchConditionFields, 'none', {
  name: 'match_condition',
})

/** A bare value for equality, or an object of operators. */
export type Condition = Value | MatchCondition
const condition: Shape<Condition> = choice(matchConditionShape, value, Object.keys(matchConditionFields))

/** Conditions by simple dot-path, combined with AND (OATF SDK §2.10). */
export interface MatchPredicate {
  readonly [path: string]: Condition
}
const predicate: Shape<MatchPredicate> = map(condition)

// biome-ignore format: a row is a line
const triggerFields = {
  event: optional(text, 'The event that ends the phase. (OATF §5.3)'),
  count: optional(integer, 'The number of matching events after which the phase ends; 1 by default. (OATF §5.3)'),
  match: optional(predicate, 'Conditions on the message content, by path; other messages are not counted. (OATF §5.4)'),
  after: optional(text, 'The maximum duration of the phase, for example `10s`. (OATF §5.3)', 'V-036'),
}

/** The condition that ends a phase (OATF SDK §2.8). */
export interface Trigger extends FieldsOf<typeof triggerFields> {}
const trigger: ObjectShape<Trigger> = object(triggerFields)

// biome-ignore format: a row is a line
const extractorFields = {
  name: required(text, 'The name that templates use: `{{name}}`, or `{{actor.name}}` from another actor. (OATF §5.5)', 'V-037'),
  source: required(enumeration(extractorSources), 'The messages that contain the value: requests or responses. (OATF §5.5)', 'V-005'),
  type: required(enumeration(extractorTypes), 'The selector type: JSONPath or regular expression. (OATF §5.5)', 'V-005'),
  selector: required(text, 'The expression; for a regular expression, the first group is the value. (OATF §5.5)'),
}

/** A value to capture from messages (OATF SDK §2.9). */
export interface Extractor extends FieldsOf<typeof extractorFields> {}
const extractor: ObjectShape<Extractor> = object(extractorFields)

const sendFields = {
  method: required(text, 'The method of the message. (OATF §5.2)'),
  params: optional(value, 'The parameters of the message. (OATF §5.2)'),
}

/** An entry action that sends a message (OATF SDK §2.7a). */
export interface SendAction extends FieldsOf<typeof sendFields> {}
const send: ObjectShape<SendAction> = object(sendFields)

const logFields = {
  message: required(text, 'The message; templates are interpolated. (OATF §5.2)'),
  level: optional(enumeration(logLevels), 'The level of the message. (OATF §5.2)', 'V-005'),
}

/** An entry action that writes to the log (OATF SDK §2.7a). */
export interface LogAction extends FieldsOf<typeof logFields> {}
const log: ObjectShape<LogAction> = object(logFields)

const actionFields = {
  send: optional(send, 'Sends a protocol message. (OATF §5.2)'),
  log: optional(log, 'Writes a message to the run log. (OATF §5.2)'),
}

/**
 * An entry action (OATF SDK §2.7a). It has exactly one key that is not an extension: `send`, `log`, or one defined by a
 * binding.
 */
export interface Action extends FieldsOf<typeof actionFields> {
  readonly [key: string]: Value | SendAction | LogAction | undefined
}
const action: ObjectShape<Action> = object(actionFields, 'any')

// biome-ignore format: a row is a line
const phaseFields = {
  name: optional(text, 'The name of the phase, unique within its actor. (OATF §5.2)'),
  description: optional(text, 'A description for readers. (OATF §5.2)'),
  mode: optional(mode, 'The mode, unless `execution.mode` sets it for all phases. (OATF §5.2)', 'V-034'),
  state: optional(value, 'The content that the actor serves or sends in this phase; if omitted, the state of the previous phase stays in effect. (OATF §5.2)'),
  extractors: optional(list(extractor), 'Values to extract from messages, for use in templates. (OATF §5.5)'),
  on_enter: optional(list(action), 'Actions that run once at the start of the phase. (OATF §5.2)'),
  trigger: optional(trigger, 'The condition that ends the phase; the last phase has none. (OATF §5.3)'),
}

/** A phase of an actor (OATF SDK §2.7). */
export interface Phase extends Extensions, FieldsOf<typeof phaseFields> {}
export const phaseShape: ObjectShape<Phase> = object(phaseFields, 'extensions', { name: 'phase' })

/** The state enumerations that the MCP binding defines (OATF §7.1.4, §7.1.5). The rest of a state is unrestricted. */
export const stateEnumerations = object(
  {
    elicitation_responses: optional(list(object({ action: optional(enumeration(elicitationActions)) }, 'any'))),
    elicitations: optional(list(object({ mode: optional(enumeration(elicitationModes)) }, 'any'))),
  },
  'any',
)

// biome-ignore format: a row is a line
const actorFields = {
  name: required(text, 'The name of the actor in indicators and templates, in snake_case. (OATF §5.1)', 'V-031'),
  mode: required(mode, 'The protocol and role of the actor. (OATF §5.1)', 'V-031'),
  phases: required(list(phaseShape), 'The phases of the actor, in order. (OATF §5.1)', 'V-031'),
}

/** An actor of an attack (OATF SDK §2.6a). */
export interface Actor extends Extensions, FieldsOf<typeof actorFields> {}
export const actorShape: ObjectShape<Actor> = object(actorFields, 'extensions', { name: 'actor' })

// biome-ignore format: a row is a line
const executionFields = {
  mode: optional(mode, 'The protocol and role of the attacker, if there is a single actor. (OATF §5.1)', 'V-034'),
  state: optional(value, "The attacker's state, if there is a single phase. (OATF §5.1)"),
  phases: optional(list(phaseShape), "The attacker's phases in order, if there is a single actor. (OATF §5.1)"),
  actors: optional(list(actorShape), 'Several actors, each with its own mode and phases. (OATF §5.1)'),
}

/**
 * The execution (OATF SDK §2.6). It has exactly one of `state`, `phases` and `actors`; in a normalized document,
 * `actors`.
 */
export interface Execution extends Extensions, FieldsOf<typeof executionFields> {}
export const executionShape: ObjectShape<Execution> = object(executionFields, 'extensions', { name: 'execution' })

const { exists: _standardFormOnly, ...shorthand } = matchConditionFields
const patternFields = {
  target: optional(
    text,
    "The path to the examined value, if it differs from the indicator's target. (OATF §6.2)",
    'V-021',
  ),
  condition: optional(condition, 'The expected value, or operators that must all match. (OATF §6.2)'),
  ...shorthand,
}

/** Detection by comparison (OATF SDK §2.13). Operators are the shorthand form, `condition` is the standard form. */
export interface PatternMatch extends FieldsOf<typeof patternFields> {}
const pattern: ObjectShape<PatternMatch> = object(patternFields, 'none', {
  elsewhere: { exists: 'It is allowed only under "condition".' },
})

const variables: Shape<{ readonly [name: string]: string } | null> = map(text)
const expressionFields = {
  cel: required(text, 'The expression; `message` is the examined message. (OATF §6.3)', 'V-014'),
  variables: optional(variables, 'Variables of the expression, as paths in the message. (OATF §6.3)', 'V-026'),
}

/** Detection by a CEL expression (OATF SDK §2.14). */
export interface ExpressionMatch extends FieldsOf<typeof expressionFields> {}
const expression: ObjectShape<ExpressionMatch> = object(expressionFields)

const examplesFields = {
  positive: optional(list(text), 'Texts with this intent. (OATF §6.4)'),
  negative: optional(list(text), 'Texts without this intent. (OATF §6.4)'),
}

/** Texts that have an intent, and texts that do not (OATF SDK §2.16). */
export interface SemanticExamples extends FieldsOf<typeof examplesFields> {}
const examples: Shape<SemanticExamples | null> = object(examplesFields)

const semanticFields = {
  target: optional(
    text,
    "The path to the examined value, if it differs from the indicator's target. (OATF §6.4)",
    'V-021',
  ),
  intent: required(text, 'The intent that the text must express. (OATF §6.4)'),
  intent_class: optional(enumeration(semanticIntentClasses), 'The kind of intent. (OATF §6.4)', 'V-005'),
  threshold: optional(score, 'The minimum confidence of a match, from 0 to 1. (OATF §6.4)', 'V-022'),
  examples: optional(examples, 'Example texts with and without this intent. (OATF §6.4)'),
}

/** Detection by meaning (OATF SDK §2.15). */
export interface SemanticMatch extends FieldsOf<typeof semanticFields> {}
const semantic: ObjectShape<SemanticMatch> = object(semanticFields)

/** The tiers. They have their own validation rule in addition to the rule for all closed enumerations. */
export const tierShape = enumeration(tiers)

// biome-ignore format: a row is a line
const indicatorFields = {
  id: optional(text, 'The id of the indicator: the id of the attack, a hyphen and a number. By default, the number is the position in the list. (OATF §6.1)'),
  protocol: optional(protocol, 'The protocol of the messages, unless the mode of the attack determines it. (OATF §6.1)', 'V-034'),
  surface: optional(text, 'The operation whose messages are examined; all operations by default. (OATF §6.1)'),
  target: required(text, 'The path to the examined value in a message; `[*]` stands for each item of a list. (OATF §6.1)', 'V-021'),
  actor: optional(text, 'The actor whose messages are examined; all actors by default. (OATF §6.1)', 'V-048'),
  direction: optional(enumeration(directions), 'The direction of the examined messages; both by default. (OATF §6.1)', 'V-005'),
  method: optional(enumeration(indicatorMethods), 'The detection method; the same as the detection key that is present. (OATF §6.1)', 'V-005'),
  description: optional(text, 'A description of what a match means. (OATF §6.1)'),
  pattern: optional(pattern, 'Matches by comparison: `contains`, `regex` and other operators, or a condition. (OATF §6.2)'),
  expression: optional(expression, 'Matches if a CEL expression on the message is true. (OATF §6.3)'),
  semantic: optional(semantic, 'Matches by meaning, as judged by a model; experimental. (OATF §6.4)'),
  tier: optional(tierShape, 'The stage that the attack reached: content ingested, local action, or boundary breach. (OATF §6.5)', 'V-050'),
  confidence: optional(percent, 'The confidence of a match, from 0 to 100. (OATF §6.1)', 'V-025'),
  severity: optional(enumeration(severityLevels), 'The severity of a match, if it differs from the severity of the attack. (OATF §6.1)', 'V-005'),
  false_positives: optional(list(text), 'Benign behaviour that also matches. (OATF §6.1)'),
}

/** A condition on messages (OATF SDK §2.12), with `tier` (docs/decisions/0002). */
export interface Indicator extends Extensions, FieldsOf<typeof indicatorFields> {}
export const indicatorShape: ObjectShape<Indicator> = object(indicatorFields, 'extensions', { name: 'indicator' })

const severityLevel = enumeration(severityLevels)
const severityFields = {
  level: required(severityLevel, 'The severity of a successful attack. (OATF §4.3)', 'V-005'),
  confidence: optional(percent, "The author's confidence in the level, from 0 to 100. (OATF §4.3)", 'V-017'),
}

/** The severity of an attack, with a confidence (OATF SDK §2.4). */
export interface Severity extends FieldsOf<typeof severityFields> {}
const severityObject: ObjectShape<Severity> = object(severityFields)

// biome-ignore format: a row is a line
const correlationFields = {
  logic: optional(enumeration(correlationLogics), 'The indicators that must match: `any` one of them, or `all`. (OATF §4.7)', 'V-005'),
}

/** The logic that combines indicators into one verdict (OATF SDK §2.3a). */
export interface Correlation extends FieldsOf<typeof correlationFields> {}
const correlation: ObjectShape<Correlation> = object(correlationFields)

// biome-ignore format: a row is a line
const mappingFields = {
  framework: required(framework, 'The framework, for example `owasp_llm`. (OATF §4.5)'),
  id: required(text, 'The entry in the framework. (OATF §4.5)'),
  name: optional(text, 'The name of the entry in the framework. (OATF §4.5)'),
  url: optional(text, 'The URL of the entry. (OATF §4.5)'),
  relationship: optional(enumeration(relationships), 'The relation of the entry to the attack: primary or related. (OATF §4.5)', 'V-005'),
}

/** A framework entry that an attack maps to (OATF SDK §2.18). */
export interface FrameworkMapping extends FieldsOf<typeof mappingFields> {}
const mapping: ObjectShape<FrameworkMapping> = object(mappingFields)

const classificationFields = {
  category: optional(enumeration(categories), 'The kind of attack. (OATF §4.5)', 'V-005'),
  mappings: optional(list(mapping), 'Entries of other frameworks for the same technique. (OATF §4.5)'),
  tags: optional(list(text), 'Keywords of the attack. (OATF §4.5)'),
}

/** The category, framework entries and tags of an attack (OATF SDK §2.5). */
export interface Classification extends FieldsOf<typeof classificationFields> {}
const classification: ObjectShape<Classification> = object(classificationFields)

const referenceFields = {
  url: required(text, 'The URL. (OATF §4.6)'),
  title: optional(text, 'The title of the page. (OATF §4.6)'),
  description: optional(text, 'The relevance of the reference. (OATF §4.6)'),
}

/** A page about an attack (OATF SDK §2.17). */
export interface Reference extends FieldsOf<typeof referenceFields> {}
const reference: ObjectShape<Reference> = object(referenceFields)

// biome-ignore format: a row is a line
const attackFields = {
  id: optional(text, 'An upper-case prefix, a hyphen and a number; indicator ids begin with this id. (OATF §4.2)', 'V-023'),
  name: optional(text, 'The name of the attack. (OATF §4.2)'),
  version: optional(integer, 'The version of this attack, from 1. (OATF §4.2)', 'V-035'),
  status: optional(enumeration(statuses), 'The maturity of the document, from draft to deprecated. (OATF §4.2)', 'V-005'),
  created: optional(date, 'The date of the first version. (OATF §4.2)'),
  modified: optional(date, 'The date of the last change. (OATF §4.2)'),
  author: optional(text, 'The author of the document. (OATF §4.2)'),
  description: optional(text, 'A description for readers: the target, the method and the damage. (OATF §4.2)'),
  grace_period: optional(text, 'The time to keep observing after the last phase, for example `30s`. (OATF §4.2)', 'V-046'),
  severity: optional(choice(severityObject, severityLevel), 'The severity of a successful attack: a level, or a level with a confidence. (OATF §4.3)', 'V-005'),
  impact: optional(list(enumeration(impacts)), 'The kinds of damage caused by a successful attack, without duplicates. (OATF §4.4)', 'V-005'),
  classification: optional(classification, 'The category, framework entries and tags of the attack. (OATF §4.5)'),
  references: optional(list(reference), 'Further reading. (OATF §4.6)'),
  execution: required(executionShape, 'The behaviour of the attacker: one state, a list of phases, or several actors with their own phases. (OATF §5.1)', 'V-004'),
  indicators: optional(list(indicatorShape), 'Conditions on messages that show that the attack succeeded. (OATF §6)'),
  correlation: optional(correlation, 'How the indicators are combined into one verdict. (OATF §4.7)'),
}

/** An attack (OATF SDK §2.3). */
export interface Attack extends Extensions, FieldsOf<typeof attackFields> {}
export const attackShape: ObjectShape<Attack> = object(attackFields, 'extensions', { name: 'attack' })

/** `x-joust-task`, a Joust extension on the attack. */
export const taskShape = object({
  indicators: required(
    list(indicatorShape),
    'Conditions on messages that show that the agent completed its task. (OATF §6)',
  ),
  correlation: optional(correlation, 'How the indicators are combined into one verdict. (OATF §4.7)'),
})

// biome-ignore format: a row is a line
const documentFields = {
  oatf: required(text, 'The version of OATF. (OATF §4.1)', 'V-001'),
  $schema: optional(text, 'The URL of a JSON Schema, for editors. (OATF §4.1)'),
  attack: required(attackShape, 'The attack: its actors, their messages, and the indicators of success. (OATF §4.2)', 'V-003'),
}

/** An attack document (OATF SDK §2.2). `$schema` is kept and otherwise ignored. */
export interface Document extends FieldsOf<typeof documentFields> {}
export const documentShape: ObjectShape<Document> = object(documentFields)

/** An event that a trigger may count (OATF SDK §2.8a). */
export interface ProtocolEvent {
  readonly event_type: string
  readonly content: Value
}

/** The state of a trigger (OATF SDK §2.8c). Created on phase entry; `evaluateTrigger` updates the count. */
export interface TriggerState {
  event_count: number
}

/** A prompt for generated content (OATF SDK §2.23). Reserved. */
export interface SynthesizeBlock {
  readonly prompt?: string
}

/** A response entry (OATF SDK §2.24). Other keys belong to the binding, for example `messages` of an MCP prompt. */
export interface ResponseEntry {
  readonly when?: MatchPredicate
  readonly content?: Value
  readonly synthesize?: SynthesizeBlock
  readonly [key: string]: Value | MatchPredicate | SynthesizeBlock | undefined
}
