/**
 * The document types of SDK §2 and their shapes, each field written once: spelled as in the YAML, in the order of the
 * specification, with its purpose and its clause for editors and the published schema. Extension fields stay where they
 * were written.
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
  type Status,
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

/** Fields whose name starts with `x-` (§10.3). */
export interface Extensions {
  readonly [extension: `x-${string}`]: Value
}

// biome-ignore format: a row is a line
const matchConditionFields = {
  contains: optional(text, 'The text contains this. (§5.4)'),
  starts_with: optional(text, 'The text begins with this. (§5.4)'),
  ends_with: optional(text, 'The text ends with this. (§5.4)'),
  regex: optional(text, 'The text matches this RE2 regular expression somewhere. (§5.4)', 'V-013'),
  any_of: optional(list(value), 'The value is one of these. (§5.4)'),
  gt: optional(number, 'The number is greater than this. (§5.4)'),
  lt: optional(number, 'The number is less than this. (§5.4)'),
  gte: optional(number, 'The number is this or greater. (§5.4)'),
  lte: optional(number, 'The number is this or less. (§5.4)'),
  exists: optional(boolean, 'Whether there is a value at all. (§5.4)'),
}

/** §2.11: operators combined with AND. */
export interface MatchCondition extends FieldsOf<typeof matchConditionFields> {}
export const matchConditionShape: ObjectShape<MatchCondition> = object(matchConditionFields, 'none', {
  name: 'match_condition',
})

/** A bare value for equality, or an object of operators. */
export type Condition = Value | MatchCondition
const condition: Shape<Condition> = choice(matchConditionShape, value, Object.keys(matchConditionFields))

/** §2.10: simple dot-path to condition, combined with AND. */
export interface MatchPredicate {
  readonly [path: string]: Condition
}
const predicate: Shape<MatchPredicate> = map(condition)

// biome-ignore format: a row is a line
const triggerFields = {
  event: optional(text, 'The message that is waited for. (§5.3)'),
  count: optional(integer, 'How many such messages it takes; 1 by default. (§5.3)'),
  match: optional(predicate, 'What the message has to hold to be counted: paths and conditions. (§5.4)'),
  after: optional(text, 'The time after which the phase ends in any case, for example `10s`. (§5.3)', 'V-036'),
}

/** §2.8 */
export interface Trigger extends FieldsOf<typeof triggerFields> {}
const trigger: ObjectShape<Trigger> = object(triggerFields)

// biome-ignore format: a row is a line
const extractorFields = {
  name: required(text, 'The name that templates use: `{{name}}`, or `{{actor.name}}` from another actor. (§5.5)', 'V-037'),
  source: required(enumeration(extractorSources), 'Whether the value is in requests or in responses. (§5.5)', 'V-005'),
  type: required(enumeration(extractorTypes), 'How the value is found: a JSONPath expression or a regular expression. (§5.5)', 'V-005'),
  selector: required(text, 'The expression; for a regular expression, the first group is the value. (§5.5)'),
}

/** §2.9 */
export interface Extractor extends FieldsOf<typeof extractorFields> {}
const extractor: ObjectShape<Extractor> = object(extractorFields)

const sendFields = {
  method: required(text, 'The method of the message. (§5.2)'),
  params: optional(value, 'What the message holds. (§5.2)'),
}

/** §2.7a */
export interface SendAction extends FieldsOf<typeof sendFields> {}
const send: ObjectShape<SendAction> = object(sendFields)

const logFields = {
  message: required(text, 'The line; templates are filled in. (§5.2)'),
  level: optional(enumeration(logLevels), 'The level of the line. (§5.2)', 'V-005'),
}

/** §2.7a */
export interface LogAction extends FieldsOf<typeof logFields> {}
const log: ObjectShape<LogAction> = object(logFields)

const actionFields = {
  send: optional(send, 'Sends a message of the protocol. (§5.2)'),
  log: optional(log, 'Writes a line into the log of the run. (§5.2)'),
}

/** §2.7a. Exactly one key that is not an extension: `send`, `log`, or one that a binding defines. */
export interface Action extends FieldsOf<typeof actionFields> {
  readonly [key: string]: Value | SendAction | LogAction | undefined
}
const action: ObjectShape<Action> = object(actionFields, 'any')

// biome-ignore format: a row is a line
const phaseFields = {
  name: optional(text, 'The name of the phase, unique within its actor. (§5.2)'),
  description: optional(text, 'What happens in the phase, for people. (§5.2)'),
  mode: optional(mode, 'The mode, if `execution.mode` does not say it for all phases. (§5.2)', 'V-034'),
  state: optional(value, 'What is on offer or sent in this phase; a phase without one keeps that of the phase before. (§5.2)'),
  extractors: optional(list(extractor), 'Values that are taken from messages, for templates to use later. (§5.5)'),
  on_enter: optional(list(action), 'What is done once when the phase begins. (§5.2)'),
  trigger: optional(trigger, 'When the phase ends; without one it is the last. (§5.3)'),
}

/** §2.7 */
export interface Phase extends Extensions, FieldsOf<typeof phaseFields> {}
export const phaseShape: ObjectShape<Phase> = object(phaseFields, 'extensions', { name: 'phase' })

/** The enumerations in a state that the MCP binding brings (§7.1.4, §7.1.5); the rest of a state is free. */
export const stateEnumerations = object(
  {
    elicitation_responses: optional(list(object({ action: optional(enumeration(elicitationActions)) }, 'any'))),
    elicitations: optional(list(object({ mode: optional(enumeration(elicitationModes)) }, 'any'))),
  },
  'any',
)

// biome-ignore format: a row is a line
const actorFields = {
  name: required(text, 'The name by which indicators and templates know the actor; snake_case. (§5.1)', 'V-031'),
  mode: required(mode, 'The protocol and the side that the actor takes. (§5.1)', 'V-031'),
  phases: required(list(phaseShape), 'What the actor plays, one phase after the other. (§5.1)', 'V-031'),
}

/** §2.6a */
export interface Actor extends Extensions, FieldsOf<typeof actorFields> {}
export const actorShape: ObjectShape<Actor> = object(actorFields, 'extensions', { name: 'actor' })

// biome-ignore format: a row is a line
const executionFields = {
  mode: optional(mode, 'The protocol and the side that the attacker takes, if there is only one actor. (§5.1)', 'V-034'),
  state: optional(value, 'What the attacker plays, if there is only one phase. (§5.1)'),
  phases: optional(list(phaseShape), 'What the attacker plays, one phase after the other, if there is only one actor. (§5.1)'),
  actors: optional(list(actorShape), 'Several attackers, each with a mode and phases of its own. (§5.1)'),
}

/** §2.6. Exactly one of `state`, `phases`, `actors`; a normalized document has `actors`. */
export interface Execution extends Extensions, FieldsOf<typeof executionFields> {}
export const executionShape: ObjectShape<Execution> = object(executionFields, 'extensions', { name: 'execution' })

const { exists: _standardFormOnly, ...shorthand } = matchConditionFields
const patternFields = {
  target: optional(text, 'A path other than that of the indicator. (§6.2)', 'V-021'),
  condition: optional(condition, 'A value to equal, or operators that all have to hold. (§6.2)'),
  ...shorthand,
}

/** §2.13. The operators are the shorthand form, `condition` the standard one. */
export interface PatternMatch extends FieldsOf<typeof patternFields> {}
const pattern: ObjectShape<PatternMatch> = object(patternFields, 'none', {
  elsewhere: { exists: 'It is allowed only under "condition".' },
})

const variables: Shape<{ readonly [name: string]: string } | null> = map(text)
const expressionFields = {
  cel: required(text, 'The expression; `message` is what is looked at. (§6.3)', 'V-014'),
  variables: optional(variables, 'Names for values of the message, by path. (§6.3)', 'V-026'),
}

/** §2.14 */
export interface ExpressionMatch extends FieldsOf<typeof expressionFields> {}
const expression: ObjectShape<ExpressionMatch> = object(expressionFields)

const examplesFields = {
  positive: optional(list(text), 'Texts that mean it. (§6.4)'),
  negative: optional(list(text), 'Texts that do not mean it. (§6.4)'),
}

/** §2.16 */
export interface SemanticExamples extends FieldsOf<typeof examplesFields> {}
const examples: Shape<SemanticExamples | null> = object(examplesFields)

const semanticFields = {
  target: optional(text, 'A path other than that of the indicator. (§6.4)', 'V-021'),
  intent: required(text, 'What the text would have to mean. (§6.4)'),
  intent_class: optional(enumeration(semanticIntentClasses), 'The kind of intent. (§6.4)', 'V-005'),
  threshold: optional(score, 'How sure the judge has to be, from 0 to 1. (§6.4)', 'V-022'),
  examples: optional(examples, 'Texts that mean it, and texts that do not. (§6.4)'),
}

/** §2.15 */
export interface SemanticMatch extends FieldsOf<typeof semanticFields> {}
const semantic: ObjectShape<SemanticMatch> = object(semanticFields)

/** Has a validation rule of its own, beside the one for all closed enumerations. */
export const tierShape = enumeration(tiers)

// biome-ignore format: a row is a line
const indicatorFields = {
  id: optional(text, 'The id of the attack, a hyphen and a number; if it is missing, it is made from the position. (§6.1)'),
  protocol: optional(protocol, 'The protocol of the messages, if the mode of the attack does not say it. (§6.1)', 'V-034'),
  surface: optional(text, 'The operation whose messages are looked at; without one, all of them. (§6.1)'),
  target: required(text, 'The path of what is looked at in a message; `[*]` stands for each item of a list. (§6.1)', 'V-021'),
  actor: optional(text, 'The actor whose traffic is looked at; without one, all of it. (§6.1)', 'V-048'),
  direction: optional(enumeration(directions), 'Whether requests or responses are looked at; without one, both. (§6.1)', 'V-005'),
  method: optional(enumeration(indicatorMethods), 'How it is decided; the same as the key that is present. (§6.1)', 'V-005'),
  description: optional(text, 'What it means when this matches, for people. (§6.1)'),
  pattern: optional(pattern, 'Matches by comparing: `contains`, `regex` and the like, or a whole condition. (§6.2)'),
  expression: optional(expression, 'Matches when a CEL expression over the message is true. (§6.3)'),
  semantic: optional(semantic, 'Matches by meaning, which a model judges; experimental. (§6.4)'),
  tier: optional(tierShape, 'How far the attack has come when this matches: read, acted on, or across a boundary. (§6.5)', 'V-050'),
  confidence: optional(percent, 'The confidence of a match, from 0 to 100. (§6.1)', 'V-025'),
  severity: optional(enumeration(severityLevels), 'The severity of a match, where it differs from that of the attack. (§6.1)', 'V-005'),
  false_positives: optional(list(text), 'Benign behaviour that can match too. (§6.1)'),
}

/** §2.12, with `tier` (docs/decisions/0002). */
export interface Indicator extends Extensions, FieldsOf<typeof indicatorFields> {}
export const indicatorShape: ObjectShape<Indicator> = object(indicatorFields, 'extensions', { name: 'indicator' })

const severityLevel = enumeration(severityLevels)
const severityFields = {
  level: required(severityLevel, 'The severity of a successful attack. (§4.3)', 'V-005'),
  confidence: optional(percent, 'How sure the author is of the level, from 0 to 100. (§4.3)', 'V-017'),
}

/** §2.4 */
export interface Severity extends FieldsOf<typeof severityFields> {}
const severityObject: ObjectShape<Severity> = object(severityFields)

// biome-ignore format: a row is a line
const correlationFields = {
  logic: optional(enumeration(correlationLogics), 'Whether one indicator is enough (`any`) or every one has to match (`all`). (§4.7)', 'V-005'),
}

/** §2.3a */
export interface Correlation extends FieldsOf<typeof correlationFields> {}
const correlation: ObjectShape<Correlation> = object(correlationFields)

// biome-ignore format: a row is a line
const mappingFields = {
  framework: required(framework, 'The framework, for example `owasp_llm`. (§4.5)'),
  id: required(text, 'The entry in the framework. (§4.5)'),
  name: optional(text, 'The name of the entry in the framework. (§4.5)'),
  url: optional(text, 'The URL of the entry. (§4.5)'),
  relationship: optional(enumeration(relationships), 'Whether the entry is the main one or a related one. (§4.5)', 'V-005'),
}

/** §2.18 */
export interface FrameworkMapping extends FieldsOf<typeof mappingFields> {}
const mapping: ObjectShape<FrameworkMapping> = object(mappingFields)

const classificationFields = {
  category: optional(enumeration(categories), 'The kind of attack. (§4.5)', 'V-005'),
  mappings: optional(list(mapping), 'Entries of other frameworks that describe the same thing. (§4.5)'),
  tags: optional(list(text), 'Words to find the attack by. (§4.5)'),
}

/** §2.5 */
export interface Classification extends FieldsOf<typeof classificationFields> {}
const classification: ObjectShape<Classification> = object(classificationFields)

const referenceFields = {
  url: required(text, 'The address. (§4.6)'),
  title: optional(text, 'The title of what is there. (§4.6)'),
  description: optional(text, 'Why it is worth reading. (§4.6)'),
}

/** §2.17 */
export interface Reference extends FieldsOf<typeof referenceFields> {}
const reference: ObjectShape<Reference> = object(referenceFields)

// biome-ignore format: a row is a line
const attackFields = {
  id: optional(text, 'An upper-case prefix, a hyphen and a number; ids of indicators begin with it. (§4.2)', 'V-023'),
  name: optional(text, 'What people call the attack. (§4.2)'),
  version: optional(integer, 'Counts the editions of this attack, from 1. (§4.2)', 'V-035'),
  status: optional(enumeration(statuses), 'How far the attack has come, from draft to deprecated. (§4.2)', 'V-005'),
  created: optional(date, 'When the attack was written, as a date. (§4.2)'),
  modified: optional(date, 'When the attack was last changed, as a date. (§4.2)'),
  author: optional(text, 'Who wrote it. (§4.2)'),
  description: optional(text, 'What happens, for people: who is fooled, how, and what is lost. (§4.2)'),
  grace_period: optional(text, 'How long traffic is still watched after the last phase, for example `30s`. (§4.2)', 'V-046'),
  severity: optional(choice(severityObject, severityLevel), 'How bad it is when the attack works; a level, or a level with a confidence. (§4.3)', 'V-005'),
  impact: optional(list(enumeration(impacts)), 'What is lost when the attack works; each kind once. (§4.4)', 'V-005'),
  classification: optional(classification, 'Where the attack belongs: a category, entries of frameworks, tags. (§4.5)'),
  references: optional(list(reference), 'Where to read more. (§4.6)'),
  execution: required(executionShape, 'What is played: one state, one list of phases, or several actors with phases of their own. (§5.1)', 'V-004'),
  indicators: optional(list(indicatorShape), 'What in the traffic shows that the attack worked. (§6)'),
  correlation: optional(correlation, 'How the indicators are combined into one verdict. (§4.7)'),
}

/** §2.3 */
export interface Attack extends Extensions, FieldsOf<typeof attackFields> {}
export const attackShape: ObjectShape<Attack> = object(attackFields, 'extensions', { name: 'attack' })

/** `x-joust-task`, our extension on the attack. */
export const taskShape = object({
  indicators: required(list(indicatorShape), 'What in the traffic shows that the agent did its work. (§6)'),
  correlation: optional(correlation, 'How the indicators are combined into one verdict. (§4.7)'),
})

// biome-ignore format: a row is a line
const documentFields = {
  oatf: required(text, 'The version of the format that the document is written in. (§4.1)', 'V-001'),
  $schema: optional(text, 'The address of a JSON Schema, for editors. (§4.1)'),
  attack: required(attackShape, 'The attack: who plays which part, what they send, and what shows that the agent fell for it. (§4.2)', 'V-003'),
}

/** §2.2. `$schema` is kept and otherwise ignored. */
export interface Document extends FieldsOf<typeof documentFields> {}
export const documentShape: ObjectShape<Document> = object(documentFields)

/** A private member, so that a changed copy counts as unchecked. */
declare class Normal {
  private readonly form: 'normal'
}

/** A valid document with everything written out (SDK §3.3); only `load` makes one. */
export interface NormalDocument extends Document, Normal {
  readonly attack: NormalAttack
}

/** An attack with its defaults, its severity as an object and its execution as actors. */
export interface NormalAttack extends Attack {
  readonly name: string
  readonly version: number | bigint
  readonly status: Status
  readonly severity?: Severity
  readonly execution: NormalExecution
}

interface NormalExecution extends Execution {
  readonly actors: readonly Actor[]
}

/** §2.8a */
export interface ProtocolEvent {
  readonly event_type: string
  readonly content: Value
}

/** §2.8c. Made fresh on phase entry; `evaluateTrigger` counts in it. */
export interface TriggerState {
  event_count: number
}

/** §2.23, reserved. */
export interface SynthesizeBlock {
  readonly prompt?: string
}

/** §2.24. Other keys are the binding's own, for example `messages` of an MCP prompt. */
export interface ResponseEntry {
  readonly when?: MatchPredicate
  readonly content?: Value
  readonly synthesize?: SynthesizeBlock
  readonly [key: string]: Value | MatchPredicate | SynthesizeBlock | undefined
}
