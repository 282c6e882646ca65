import { controls, discriminationOf, type Results } from '@joust/arena'

/** What is to be said about several targets as a whole: where both controls were attacked, that they do not differ. */
export function suiteNotes(all: readonly Results[]): string[] {
  const targets = all.flatMap((results) => results.targets)
  const positive = targets.find(({ name }) => name === controls.positive)
  const negative = targets.find(({ name }) => name === controls.negative)
  if (positive === undefined || negative === undefined) return []
  const { discriminating, message } = discriminationOf(positive, negative)
  return discriminating ? [] : [message]
}
