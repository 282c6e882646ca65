/** Who can be attacked, and which option says so. */
import type { ResultTarget } from '@joust/arena'

/** The kinds of targets. */
export type TargetKind = ResultTarget['kind']

/** Those that an option names. */
export type NamedTarget = Exclude<TargetKind, 'none'>

/** The keys of these options. The first one given decides: with an agent, a model stands in for the agent's own. */
export const targetKeys = {
  agent: 'agent',
  model: 'model',
  endpoint: 'target',
  command: 'exec',
  'self-play': 'wire',
} as const satisfies { readonly [kind in NamedTarget]: string }

/** The kind of target that options name. */
export function targetKind(options: { readonly [key in (typeof targetKeys)[NamedTarget]]?: unknown }): TargetKind {
  // The keys of our own table.
  const kinds = Object.keys(targetKeys) as NamedTarget[]
  return kinds.find((kind) => options[targetKeys[kind]] !== undefined) ?? 'none'
}
