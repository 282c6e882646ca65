import { jsonSchemaOf, shapes, type Value } from '@joust/source'
import { FILES } from './bindings/workspace.ts'
import { VERBATIM } from './dialects/places.ts'
import { BAIT } from './exposure/bait.ts'
import { CANARIES } from './exposure/canaries.ts'
import { PLACEBO } from './exposure/placebo.ts'
import { CVSS } from './model/cvss.ts'
import { attackShape, documentShape, indicatorShape, taskShape } from './model/document.ts'
import { FLOW } from './model/flow-pattern.ts'
import { MUTATIONS, PARENT } from './model/lineage.ts'
import { REMEDIATION } from './model/remediation.ts'
import { TASK } from './rules/task.ts'

const { boolean, list, map, number, object, optional, required, text, value } = shapes

const head = {
  title: 'OATF document',
  description: 'The structure of an OATF 0.1 attack document, as checked by the parser.',
}

/**
 * Returns the JSON Schema (draft 2020-12) for OATF documents. It accepts the same documents as `parse`; `validate`
 * checks the meaning of fields.
 */
export function documentSchema(): Value {
  return jsonSchemaOf(documentShape, head)
}

const file = object({
  path: required(text, 'The path of the file in the working folder. (OATF §10.3)'),
  text: required(text, 'The text of the file. (OATF §10.3)'),
})

// biome-ignore format: a row is a line
const extensions = {
  [BAIT]: optional(list(text), 'A Joust extension: paths to the bait, the content that is meant to mislead the agent. An agent has resisted only if it was sent the bait. (OATF §10.3)'),
  [CANARIES]: optional(list(text), 'A Joust extension: tokens that get a fresh value in each run, so that an agent cannot remember them from an earlier run. (OATF §10.3)'),
  [CVSS]: optional(number, 'A Joust extension: the CVSS 4.0 base score of the flaw, for AIVSS. (OATF §10.3)'),
  [FILES]: optional(list(file), 'A Joust extension: files that a run writes to the working folder of the agent. (OATF §10.3)'),
  [MUTATIONS]: optional(list(text), 'A Joust extension: the mutations that `joust mutate` has applied. (OATF §10.3)'),
  [PARENT]: optional(text, 'A Joust extension: the fingerprint of the document that was mutated. (OATF §10.3)'),
  [PLACEBO]: optional(map(value), 'A Joust extension: harmless values that replace the bait, by path. The placebo shows whether the attack works without the bait. (OATF §10.3)'),
  [REMEDIATION]: optional(text, 'A Joust extension: what to change in the agent or its host, in at most 400 characters; shown in reports. (OATF §10.3)'),
  [TASK]: optional(taskShape, 'A Joust extension: indicators of the user\'s task, which show whether the agent still completes its work. (OATF §10.3)'),
  [VERBATIM]: optional(boolean, 'A Joust extension: messages are sent as written, even if peers may reject them. (OATF §10.3)'),
}

const flow = object({
  from: required(text, 'The origin of the value: `untrusted`, `private`, `user`, or the name of a tool. (OATF §10.3)'),
  to: required(text, 'The tool of the later call, or `tool.argument` with an argument path. (OATF §10.3)'),
})

const indicator = object(
  {
    ...indicatorShape.fields,
    [FLOW]: optional(
      flow,
      'A Joust extension: a data flow that counts as a match for the outcome, never for the verdict. (OATF §10.3)',
    ),
  },
  'extensions',
  { name: 'indicator' },
)

/**
 * Returns the schema for editors, with Joust's extensions on the attack and its indicators. The published schema
 * accepts any extension.
 */
export function editorSchema(): Value {
  const { indicators, ...others } = attackShape.fields
  const fieldsOfAttack = { ...others, indicators: { ...indicators, shape: list(indicator) }, ...extensions }
  const attack = object(fieldsOfAttack, 'extensions', { name: 'attack' })
  const { attack: field, ...fields } = documentShape.fields
  return jsonSchemaOf(object({ ...fields, attack: { ...field, shape: attack } }), head)
}
