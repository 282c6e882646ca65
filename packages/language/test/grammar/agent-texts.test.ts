import { documentSchema } from '@joust/agentformat'
import { isList, isRecord, own, type Value } from '@joust/source'
import { expect, test } from 'vitest'
import { agentText } from '../../src/grammar/agent-texts.ts'

/** Every field in the schema of agents, by its path. */
function fieldsOf(schema: Value | undefined, way: string): string[] {
  if (!isRecord(schema)) return []
  const properties = own(schema, 'properties')
  const fields = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, below]) => {
    const id = way === '' ? name : `${way}.${name}`
    return [id, ...fieldsOf(below, id)]
  })
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => own(schema, key) ?? [])
  const ways = [...branches.filter((one) => !isList(one)), own(schema, 'then'), own(schema, 'else')]
  const open = [own(schema, 'additionalProperties')].flatMap((one) => fieldsOf(one, `${way}.any`))
  return [
    ...fields,
    ...ways.flatMap((one) => fieldsOf(one, way)),
    ...fieldsOf(own(schema, 'items'), `${way}[]`),
    ...open,
  ]
}

test('every field of an agent file has its page and a sentence', () => {
  const fields = [...new Set(fieldsOf(documentSchema, ''))]
  expect(fields).toEqual(expect.arrayContaining(['constraints.limits.max_tool_calls', 'metadata.labels']))
  expect(fields.filter((id) => agentText(id)[1] === '')).toEqual([])
  expect(agentText('execution_policy.config.steps[].input_mapping')[0]).toBe('Agent Format, path expressions')
})
