import { documentSchema } from '@joust/oatf'
import { BAIT, TASK } from '@joust/oatf/vocabulary'
import { isRecord, own, type Value } from '@joust/source'

/** The JSON Schema of attacks, with our extensions, which the published one lets pass as any others. */
export function attackSchema(): Value {
  const schema = documentSchema()
  const definitions = isRecord(schema) ? own(schema, '$defs') : undefined
  const attack = isRecord(definitions) ? own(definitions, 'attack') : undefined
  const properties = isRecord(attack) ? own(attack, 'properties') : undefined
  if (!isRecord(schema) || !isRecord(definitions) || !isRecord(attack) || !isRecord(properties)) return schema
  const { indicators = true, correlation = true } = properties
  const task = { type: 'object', required: ['indicators'], properties: { indicators, correlation } }
  const extended = {
    ...properties,
    [BAIT]: { type: 'array', items: { type: 'string' } },
    [TASK]: task,
    'x-joust-verbatim': { type: 'boolean' },
  }
  return { ...schema, $defs: { ...definitions, attack: { ...attack, properties: extended } } }
}
