/** The lists of the state: what goes into list results, and which entry a request means. */
import { isList, isRecord, own, setOwn, type Value, type ValueRecord } from '@joust/source'
import type { Call } from './call.ts'

/** The keys that OATF adds to protocol objects; they never go over the wire. */
const OATF_KEYS = {
  tools: ['responses'],
  resources: ['content'],
  resource_templates: ['content'],
  prompts: ['responses'],
} as const

/** A list of the state. */
export type ListKey = keyof typeof OATF_KEYS

/** A definition, and where in the state it is. */
export interface Definition {
  readonly value: ValueRecord
  readonly path: string
}

/** What a list result shows: as written, without the keys of OATF. Absent means empty (§7.1.4). */
export function listed(call: Call, key: ListKey): Value {
  const list = own(call.state, key)
  if (list === undefined) return []
  if (isList(list)) return list.map((item) => withoutOatfKeys(item, key))
  call.stage.report('state-malformed', `${key} is not a list; it is sent as it is`, key)
  return withoutOatfKeys(list, key)
}

/** The first definition whose field, filled, is the wanted one. */
export function findDefinition(
  call: Call,
  key: ListKey,
  field: string,
  wanted: Value | undefined,
): Definition | undefined {
  const list = own(call.state, key)
  if (!isList(list) || typeof wanted !== 'string') return undefined
  for (const [index, value] of list.entries()) {
    const name = own(value, field)
    if (!isRecord(value) || typeof name !== 'string') continue
    if (name === wanted || (name.includes('{{') && call.fill(name) === wanted))
      return { value, path: `${key}[${index}]` }
  }
  return undefined
}

function withoutOatfKeys(item: Value, key: ListKey): Value {
  if (!isRecord(item)) return item
  const oatf: readonly string[] = OATF_KEYS[key]
  const kept = {}
  for (const [name, value] of Object.entries(item)) {
    if (!oatf.includes(name) && !name.startsWith('x-joust-')) setOwn(kept, name, value)
  }
  return kept
}
