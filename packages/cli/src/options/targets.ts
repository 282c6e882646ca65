/** Kinds of targets and the keys that select them. The kind of a target is determined only here. */
import type { ResultTarget } from '@joust/results'

export type TargetKind = ResultTarget['kind']

export type NamedKind = Exclude<TargetKind, 'none'>

/** The key of each kind; the first key that is present decides. With `agent`, `model` replaces the agent's model. */
export const targetKeys = {
  function: 'module',
  http: 'http',
  agent: 'agent',
  endpoint: 'target',
  command: 'exec',
  acp: 'acp',
  model: 'model',
  'self-play': 'wire',
} as const satisfies { readonly [kind in NamedKind]: string }

/** The protocols of endpoints: keys in the project file, `PROTOCOL=URL` in the option. */
export const endpointKeys = ['ag_ui', 'a2a', 'mcp'] as const

/** Kinds without an option; only a project file can select them. */
const inFileOnly: readonly TargetKind[] = ['http', 'function']

/** The key that selects no target: actors listen for any client. */
const LISTEN = 'listen'

// `Object.keys` loses the type of the keys.
const namedKinds = Object.keys(targetKeys) as NamedKind[]

/** The keys of a target in the project file, in the order in which they determine the kind of the target. */
export const decidingKeys: readonly (readonly [kind: TargetKind, keys: readonly string[]])[] = [
  ...namedKinds.map((kind) => [kind, kind === 'endpoint' ? endpointKeys : [targetKeys[kind]]] as const),
  ['none', [LISTEN]],
]

export function optionKeysOf(kinds: readonly TargetKind[]): string[] {
  return kinds.filter((kind) => !inFileOnly.includes(kind)).map((kind) => (kind === 'none' ? LISTEN : targetKeys[kind]))
}

/** The keys of all options that select a target, including `listen`. */
export const targetOptionKeys: readonly string[] = [...optionKeysOf(namedKinds), LISTEN]

export function targetKind(options: { readonly [key in (typeof targetKeys)[NamedKind]]?: unknown }): TargetKind {
  return namedKinds.find((kind) => options[targetKeys[kind]] !== undefined) ?? 'none'
}
