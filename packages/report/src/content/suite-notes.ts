import { controls, discriminationOf, type Results } from '@joust/arena'

/** What is to be said about several results as a whole: where both controls were attacked, that they do not differ. */
export function suiteNotes(all: readonly Results[]): string[] {
  const positive = all.find(({ target }) => target.name === controls.positive)
  const negative = all.find(({ target }) => target.name === controls.negative)
  if (positive === undefined || negative === undefined) return []
  const { discriminating, message } = discriminationOf(positive, negative)
  return discriminating ? [] : [message]
}
