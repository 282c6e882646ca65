/** List results from the state, and lookup by name. */
import { isList, isRecord, own, setOwn, type Value, type ValueRecord } from '@joust/source'
import type { Call } from './call.ts'

/** Keys that OATF adds to protocol objects; never sent. */
const OATF_KEYS = {
  tools: ['responses'],
  resources: ['content'],
  resource_templates: ['content'],
  prompts: ['responses'],
} as const

export type ListKey = keyof typeof OATF_KEYS

export interface Definition {
  readonly value: ValueRecord
  readonly path: string
}

/** Lists items as written, without OATF keys ([OATF §7.1.4](https://oatf.io/specification/protocol-bindings/mcp/)). */
export function listed(call: Call, key: ListKey): Value {
  const list = own(call.state, key)
  if (list === undefined) return []
  if (isList(list)) return list.map((item) => withoutOatfKeys(item, key))
  call.stage.report('state-malformed', `${key} is not a list; it was sent as written`, key)
  return withoutOatfKeys(list, key)
}

/** Templates in the field are filled before comparison. */
export function findDefinition(
  call: Call,
  key: ListKey,
  field: string,
  target: Value | undefined,
): Definition | undefined {
  const list = own(call.state, key)
  if (!isList(list) || typeof target !== 'string') return undefined
  for (const [index, value] of list.entries()) {
    const name = own(value, field)
    if (!isRecord(value) || typeof name !== 'string') continue
    if (name === target || (name.includes('{{') && call.fill(name) === target))
      return { value, path: `${key}[${index}]` }
  }
  return undefined
}

function withoutOatfKeys(item: Value, key: ListKey): Value {
  if (!isRecord(item)) return item
  const oatf: readonly string[] = OATF_KEYS[key]
  const rest = {}
  for (const [name, value] of Object.entries(item))
    if (!oatf.includes(name) && !name.startsWith('x-joust-')) setOwn(rest, name, value)
  return rest
}
