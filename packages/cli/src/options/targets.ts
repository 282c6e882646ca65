/** Who can be attacked, and which key says so: the one place that determines the kind of a target. */
import type { ResultTarget } from '@joust/arena'

/** The kinds of targets. */
export type TargetKind = ResultTarget['kind']

/** The kinds that have to be named. */
export type NamedTarget = Exclude<TargetKind, 'none'>

/**
 * The keys that name them, both of options and of the project file. The first one given decides: with an agent, a model
 * replaces the agent's own.
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
} as const satisfies { readonly [kind in NamedTarget]: string }

/** The protocols of endpoints: in the project file each is a key of a target, where the option has `PROTOCOL=PLACE`. */
export const endpointKeys = ['ag_ui', 'a2a', 'mcp'] as const

/** Those that only a project file can name. */
const inFileOnly: readonly TargetKind[] = ['http', 'function']

/** The key for whoever connects: nobody is named, and actors listen. */
const LISTEN = 'listen'

// The keys of our own table.
const namedKinds = Object.keys(targetKeys) as NamedTarget[]

/** The keys of a target in the project file, in the order in which they decide its kind. */
export const decidingKeys: readonly (readonly [kind: TargetKind, keys: readonly string[]])[] = [
  ...namedKinds.map((kind) => [kind, kind === 'endpoint' ? endpointKeys : [targetKeys[kind]]] as const),
  ['none', [LISTEN]],
]

/** The keys of the options of these kinds, for those that have one. */
export function optionKeysOf(kinds: readonly NamedTarget[]): string[] {
  return kinds.filter((kind) => !inFileOnly.includes(kind)).map((kind) => targetKeys[kind])
}

/** The keys of the options that name a target, or say that there is none. */
export const targetOptionKeys: readonly string[] = [...optionKeysOf(namedKinds), LISTEN]

/** The kind of target that options name. */
export function targetKind(options: { readonly [key in (typeof targetKeys)[NamedTarget]]?: unknown }): TargetKind {
  return namedKinds.find((kind) => options[targetKeys[kind]] !== undefined) ?? 'none'
}
