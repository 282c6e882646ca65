/** Kinds of targets and the keys that select them. The kind of a target is determined only here. */
import type { ResultTarget } from '@joust/results'

/** The kinds of targets. */
export type TargetKind = ResultTarget['kind']

/** The kinds that are selected by a key. */
export type NamedKind = Exclude<TargetKind, 'none'>

/**
 * The key of each kind, as option and in the project file. The first one present determines the kind: together with
 * `agent`, `model` replaces the model of the agent.
 */
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

/** The protocols of endpoints: keys in the project file, `PROTOCOL=PLACE` in the option. */
export const endpointKeys = ['ag_ui', 'a2a', 'mcp'] as const

/** Kinds without an option; only a project file can select them. */
const inFileOnly: readonly TargetKind[] = ['http', 'function']

/** The key for actors that listen for any client, so no target is selected. */
const LISTEN = 'listen'

// `Object.keys` loses the type of the keys.
const namedKinds = Object.keys(targetKeys) as NamedKind[]

/** The keys of a target in the project file, in the order in which they decide its kind. */
export const decidingKeys: readonly (readonly [kind: TargetKind, keys: readonly string[]])[] = [
  ...namedKinds.map((kind) => [kind, kind === 'endpoint' ? endpointKeys : [targetKeys[kind]]] as const),
  ['none', [LISTEN]],
]

/** The option keys of these kinds. */
export function optionKeysOf(kinds: readonly TargetKind[]): string[] {
  return kinds.filter((kind) => !inFileOnly.includes(kind)).map((kind) => (kind === 'none' ? LISTEN : targetKeys[kind]))
}

/** The keys of all options that select a target, `listen` included. */
export const targetOptionKeys: readonly string[] = [...optionKeysOf(namedKinds), LISTEN]

/** The kind of target that options select. */
export function targetKind(options: { readonly [key in (typeof targetKeys)[NamedKind]]?: unknown }): TargetKind {
  return namedKinds.find((kind) => options[targetKeys[kind]] !== undefined) ?? 'none'
}
