import type { TargetResults, Trial } from './model.ts'

/** What the models of a target took in all of its runs; undefined where none was asked, or nobody has counted. */
export function usageOf({ attacks }: Pick<TargetResults, 'attacks'>): Trial['usage'] {
  const used = attacks.flatMap(({ trials }) => trials.flatMap(({ usage }) => usage ?? []))
  if (used.length === 0) return undefined
  const sum = (of: (usage: NonNullable<Trial['usage']>) => number) => used.reduce((total, one) => total + of(one), 0)
  return {
    calls: sum(({ calls }) => calls),
    input_tokens: sum(({ input_tokens }) => input_tokens),
    output_tokens: sum(({ output_tokens }) => output_tokens),
  }
}
