/** Who can be attacked, and which option says so. */
import type { ResultTarget } from '@joust/arena'

/** The kinds of targets. */
export type TargetKind = ResultTarget['kind']

/** Those that somebody names. */
export type NamedTarget = Exclude<TargetKind, 'none'>

/** The keys that name them. The first one given decides: with an agent, a model stands in for the agent's own. */
export const targetKeys = {
  agent: 'agent',
  model: 'model',
  endpoint: 'target',
  command: 'exec',
  http: 'http',
  function: 'module',
  'self-play': 'wire',
} as const satisfies { readonly [kind in NamedTarget]: string }

/** Those that only a project file can name. */
const inFileOnly: readonly NamedTarget[] = ['http', 'function']

/** The keys of the options of these kinds, as far as they have one. */
export function optionKeysOf(kinds: readonly NamedTarget[]): string[] {
  return kinds.filter((kind) => !inFileOnly.includes(kind)).map((kind) => targetKeys[kind])
}

/** The kind of target that options name. */
export function targetKind(options: { readonly [key in (typeof targetKeys)[NamedTarget]]?: unknown }): TargetKind {
  // The keys of our own table.
  const kinds = Object.keys(targetKeys) as NamedTarget[]
  return kinds.find((kind) => options[targetKeys[kind]] !== undefined) ?? 'none'
}
