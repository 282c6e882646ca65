import { describeValue, isList, isRecord, own, type Path, type Value } from '@joust/source'
import { sameWords } from '../bindings/same-words.ts'
import { findMode } from '../bindings/table.ts'
import { attackDocument } from '../rules/rule.ts'
import type { Edit } from './edits.ts'
import type { Occurrence, Translation } from './translation.ts'

export const verbActions: Translation = {
  summary: 'An action that is a verb (`list_tools`, `call_tool`) is read as the corresponding request.',
  find: ({ phases }) =>
    phases.flatMap(({ mode = '', state }) => {
      const binding = findMode(mode)
      const actions = state === undefined ? undefined : own(state.value, 'actions')
      if (state === undefined || !binding?.stateKeys.includes('actions') || !isList(actions)) return []
      return actions.flatMap((action, index) => spelledOut(action, [...state.path, 'actions', index], binding.events))
    }),
  bad: attackDocument(`
    mode: mcp_client
    state:
      actions:
        - list_tools
        - call_tool: { name: search, arguments: { query: weather } }
`),
}

function spelledOut(action: Value, at: Path, methods: readonly string[]): Occurrence[] {
  if (typeof action === 'string') {
    const method = sameWords(action, methods)
    return method === undefined ? [] : [occurrence(at, action, method, [{ op: 'set', path: at, value: { method } }])]
  }
  if (!isRecord(action) || own(action, 'method') !== undefined) return []
  const verbs = Object.keys(action).filter((key) => !key.startsWith('x-'))
  const [verb] = verbs
  const method = verb === undefined || verbs.length > 1 ? undefined : sameWords(verb, methods)
  if (verb === undefined || method === undefined) return []
  const params = paramsOf(own(action, verb) ?? null, method, at, verb)
  const named: Edit = { op: 'set', path: [...at, 'method'], value: method, before: verb, from: [...at, verb] }
  return [occurrence(at, verb, method, [named, ...params])]
}

/** The parameter that receives the plain string after a verb. */
const ABOUT: { readonly [method: string]: string } = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'resources/subscribe': 'uri',
  'resources/unsubscribe': 'uri',
  'logging/setLevel': 'level',
  'tasks/get': 'id',
  'tasks/cancel': 'id',
  'tasks/resubscribe': 'id',
}

/** Converts an argument. `list_tools: true` means the same as `list_tools`; `read_resource: uri` requests that URI. */
function paramsOf(argument: Value, method: string, at: Path, verb: string): Edit[] {
  const from = [...at, verb]
  const path = [...at, 'params']
  if (argument === null || argument === true) return [{ op: 'remove', path: from }]
  const about = typeof argument === 'string' && Object.hasOwn(ABOUT, method) ? ABOUT[method] : undefined
  if (about === undefined) return [{ op: 'move', from, path }]
  return [
    { op: 'set', path, value: {}, before: verb, from },
    { op: 'move', from, path: [...path, about] },
  ]
}

function occurrence(at: Path, verb: string, method: string, edits: readonly Edit[]): Occurrence {
  return { at, message: `the action ${describeValue(verb)} is read as a request ${describeValue(method)}`, edits }
}
