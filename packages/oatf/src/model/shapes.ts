/**
 * The shape of every core type (SDK §2), fields in the order of the specification. Each field says what it is for and
 * which clause has it, for editors and the published schema.
 */
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

// biome-ignore format: a row is a line
const matchCondition = object({
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
}, 'none', { name: 'match_condition' })

const condition = choice(matchCondition, value, operatorNames)

// biome-ignore format: a row is a line
const trigger = object({
  event: optional(text, 'The message that is waited for. (§5.3)'),
  count: optional(integer, 'How many such messages it takes; 1 by default. (§5.3)'),
  match: optional(map(condition), 'What the message has to hold to be counted: paths and conditions. (§5.4)'),
  after: optional(text, 'The time after which the phase ends in any case, for example `10s`. (§5.3)', 'V-036'),
})

// biome-ignore format: a row is a line
const extractor = object({
  name: required(text, 'The name that templates use: `{{name}}`, or `{{actor.name}}` from another actor. (§5.5)', 'V-037'),
  source: required(enumeration(extractorSources), 'Whether the value is in requests or in responses. (§5.5)', 'V-005'),
  type: required(enumeration(extractorTypes), 'How the value is found: a JSONPath expression or a regular expression. (§5.5)', 'V-005'),
  selector: required(text, 'The expression; for a regular expression, the first group is the value. (§5.5)'),
})

const send = object({
  method: required(text, 'The method of the message. (§5.2)'),
  params: optional(value, 'What the message holds. (§5.2)'),
})

const log = object({
  message: required(text, 'The line; templates are filled in. (§5.2)'),
  level: optional(enumeration(logLevels), 'The level of the line. (§5.2)', 'V-005'),
})

const action = object(
  {
    send: optional(send, 'Sends a message of the protocol. (§5.2)'),
    log: optional(log, 'Writes a line into the log of the run. (§5.2)'),
  },
  'any',
)

// biome-ignore format: a row is a line
export const phaseShape = object({
  name: optional(text, 'The name of the phase, unique within its actor. (§5.2)'),
  description: optional(text, 'What happens in the phase, for people. (§5.2)'),
  mode: optional(text, 'The mode, if `execution.mode` does not say it for all phases. (§5.2)', 'V-034'),
  state: optional(value, 'What is on offer or sent in this phase; a phase without one keeps that of the phase before. (§5.2)'),
  extractors: optional(list(extractor), 'Values that are taken from messages, for templates to use later. (§5.5)'),
  on_enter: optional(list(action), 'What is done once when the phase begins. (§5.2)'),
  trigger: optional(trigger, 'When the phase ends; without one it is the last. (§5.3)'),
}, 'extensions', { name: 'phase' })

/** The enumerations in a state that the MCP binding brings (§7.1.4, §7.1.5); the rest of a state is free. */
export const stateEnumerations = object(
  {
    elicitation_responses: optional(list(object({ action: optional(enumeration(elicitationActions)) }, 'any'))),
    elicitations: optional(list(object({ mode: optional(enumeration(elicitationModes)) }, 'any'))),
  },
  'any',
)

// biome-ignore format: a row is a line
export const actorShape = object({
  name: required(text, 'The name by which indicators and templates know the actor; snake_case. (§5.1)', 'V-031'),
  mode: required(text, 'The protocol and the side that the actor takes. (§5.1)', 'V-031'),
  phases: required(list(phaseShape), 'What the actor plays, one phase after the other. (§5.1)', 'V-031'),
}, 'extensions', { name: 'actor' })

// biome-ignore format: a row is a line
export const executionShape = object({
  mode: optional(text, 'The protocol and the side that the attacker takes, if there is only one actor. (§5.1)', 'V-034'),
  state: optional(value, 'What the attacker plays, if there is only one phase. (§5.1)'),
  phases: optional(list(phaseShape), 'What the attacker plays, one phase after the other, if there is only one actor. (§5.1)'),
  actors: optional(list(actorShape), 'Several attackers, each with a mode and phases of its own. (§5.1)'),
}, 'extensions', { name: 'execution' })

const { exists: _standardFormOnly, ...shorthand } = matchCondition.fields
const pattern = object(
  {
    target: optional(text, 'A path other than that of the indicator. (§6.2)', 'V-021'),
    condition: optional(condition, 'A value to equal, or operators that all have to hold. (§6.2)'),
    ...shorthand,
  },
  'none',
  { elsewhere: { exists: 'It is allowed only under "condition".' } },
)

const expression = object({
  cel: required(text, 'The expression; `message` is what is looked at. (§6.3)', 'V-014'),
  variables: optional(map(text), 'Names for values of the message, by path. (§6.3)', 'V-026'),
})

const examples = object({
  positive: optional(list(text), 'Texts that mean it. (§6.4)'),
  negative: optional(list(text), 'Texts that do not mean it. (§6.4)'),
})

const semantic = object({
  target: optional(text, 'A path other than that of the indicator. (§6.4)', 'V-021'),
  intent: required(text, 'What the text would have to mean. (§6.4)'),
  intent_class: optional(enumeration(semanticIntentClasses), 'The kind of intent. (§6.4)', 'V-005'),
  threshold: optional(number, 'How sure the judge has to be, from 0 to 1. (§6.4)', 'V-022'),
  examples: optional(examples, 'Texts that mean it, and texts that do not. (§6.4)'),
})

/** Has a validation rule of its own, beside the one for all closed enumerations. */
export const tierShape = enumeration(tiers)

// biome-ignore format: a row is a line
export const indicatorShape = object({
  id: optional(text, 'The id of the attack, a hyphen and a number; if it is missing, it is made from the position. (§6.1)'),
  protocol: optional(text, 'The protocol of the messages, if the mode of the attack does not say it. (§6.1)', 'V-034'),
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
  confidence: optional(integer, 'How sure a match is, from 0 to 100. (§6.1)', 'V-025'),
  severity: optional(enumeration(severityLevels), 'How bad a match is, if it is not as bad as the attack. (§6.1)', 'V-005'),
  false_positives: optional(list(text), 'What else may look like this. (§6.1)'),
}, 'extensions', { name: 'indicator' })

const severityLevel = enumeration(severityLevels)
const severityObject = object({
  level: required(severityLevel, 'How bad it is when the attack works. (§4.3)', 'V-005'),
  confidence: optional(integer, 'How sure the author is of the level, from 0 to 100. (§4.3)', 'V-017'),
})

// biome-ignore format: a row is a line
const correlation = object({
  logic: optional(enumeration(correlationLogics), 'Whether one indicator is enough (`any`) or every one has to match (`all`). (§4.7)', 'V-005'),
})

// biome-ignore format: a row is a line
const mapping = object({
  framework: required(text, 'The framework, for example `owasp_llm`. (§4.5)'),
  id: required(text, 'The entry in the framework. (§4.5)'),
  name: optional(text, 'What the framework calls the entry. (§4.5)'),
  url: optional(text, 'Where the entry can be read. (§4.5)'),
  relationship: optional(enumeration(relationships), 'Whether the entry is the main one or a related one. (§4.5)', 'V-005'),
})

const classification = object({
  category: optional(enumeration(categories), 'The kind of attack. (§4.5)', 'V-005'),
  mappings: optional(list(mapping), 'Entries of other frameworks that describe the same thing. (§4.5)'),
  tags: optional(list(text), 'Words to find the attack by. (§4.5)'),
})

const reference = object({
  url: required(text, 'The address. (§4.6)'),
  title: optional(text, 'The title of what is there. (§4.6)'),
  description: optional(text, 'Why it is worth reading. (§4.6)'),
})

// biome-ignore format: a row is a line
export const attackShape = object({
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
}, 'extensions', { name: 'attack' })

/** `x-joust-task`, our extension on the attack. */
export const taskShape = object({
  indicators: required(list(indicatorShape), 'What in the traffic shows that the agent did its work. (§6)'),
  correlation: optional(correlation, 'How the indicators are combined into one verdict. (§4.7)'),
})

// biome-ignore format: a row is a line
export const documentShape = object({
  oatf: required(text, 'The version of the format that the document is written in. (§4.1)', 'V-001'),
  $schema: optional(text, 'The address of a JSON Schema, for editors. (§4.1)'),
  attack: required(attackShape, 'The attack: who plays which part, what they send, and what shows that the agent fell for it. (§4.2)', 'V-003'),
})
