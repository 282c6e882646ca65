import { isList, isRecord, own, type Path, type Value, type ValueRecord, writeJson } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import type { Edit } from './edits.ts'
import { inputsOf } from './inputs.ts'
import type { Occurrence, Translation } from './translation.ts'

export const contextItems: Translation = {
  summary: 'A context item has a `description` and a `value`, both strings.',
  find: (places) =>
    inputsOf(places).flatMap(({ path, value }) => {
      const context = own(value, 'context')
      return isList(context) ? context.flatMap((item, index) => asItem(item, [...path, 'context', index])) : []
    }),
  bad: attackDocument(`
    mode: ag_ui_client
    state:
      run_agent_input:
        threadId: t-1
        runId: r-1
        messages: [{ id: m-1, role: user, content: What did we earn? }]
        context: [{ key: revenue, value: { total: 12 } }]
`),
}

const NAMES = ['key', 'name', 'title', 'label'] as const

function asItem(item: Value, at: Path): Occurrence[] {
  if (typeof item === 'string')
    return [occurrence(at, [{ op: 'set', path: at, value: { description: 'context', value: item } }])]
  if (!isRecord(item)) return []
  const edits = [...descriptionEdits(item, at), ...valueEdits(item, at)]
  return edits.length === 0 ? [] : [occurrence(at, edits)]
}

function descriptionEdits(item: ValueRecord, at: Path): Edit[] {
  if (own(item, 'description') !== undefined) return []
  const name = NAMES.find((key) => typeof own(item, key) === 'string')
  const path = [...at, 'description']
  if (name === undefined) return [{ op: 'set', path, value: 'context', before: 'value', from: at }]
  return [{ op: 'move', from: [...at, name], path }]
}

function valueEdits(item: ValueRecord, at: Path): Edit[] {
  const path = [...at, 'value']
  const value = own(item, 'value')
  if (typeof value === 'string') return []
  if (value !== undefined) return [{ op: 'set', path, value: writeJson(value) }]
  const name = ['content', 'text'].find((key) => typeof own(item, key) === 'string')
  // Agents reject a run if an item has no value.
  return [name === undefined ? { op: 'set', path, value: '', from: at } : { op: 'move', from: [...at, name], path }]
}

function occurrence(at: Path, edits: readonly Edit[]): Occurrence {
  const message = 'a context item is sent with a "description" and a "value" that are strings'
  const unchanged =
    'a context item is sent as written, although its "description" or "value" is not a string; agents reject it'
  return { at, message, edits, unchanged }
}
