import { type OutputFrom, type OutputStrategy, outputStrategies } from '../model/policy.ts'

/** Where the result of a policy comes from, whichever form it was written in. */
export type OutputSelection =
  | { readonly kind: 'strategy'; readonly strategy: OutputStrategy }
  | { readonly kind: 'agent'; readonly alias: string }
  | { readonly kind: 'custom_transform'; readonly name: string }

/** Reads `output_from`. As a string the three strategies come before aliases. */
export function selectOutput(from: OutputFrom | undefined, fallback: OutputStrategy): OutputSelection {
  if (from === undefined) return { kind: 'strategy', strategy: fallback }
  if (typeof from === 'string') {
    const strategy = outputStrategies.find((name) => name === from)
    return strategy === undefined ? { kind: 'agent', alias: from } : { kind: 'strategy', strategy }
  }
  if (from.agent !== undefined) return { kind: 'agent', alias: from.agent }
  if (from.custom_transform !== undefined) return { kind: 'custom_transform', name: from.custom_transform }
  return { kind: 'strategy', strategy: from.strategy ?? fallback }
}
