/** Placeholders in the words of a command: `{name}`; `{{name}}` stands for `{name}` itself. */
import { didYouMean, err, ok, type Result } from '@joust/source'

const PLACEHOLDER = /\{(\{[\w.-]+\})\}|\{([\w.-]+)\}/g

/** Fills words; a name that is not known is an error that lists those that are. */
export function fillPlaceholders(
  words: readonly string[],
  values: ReadonlyMap<string, string>,
): Result<string[], string> {
  const names = words.flatMap((word) => [...word.matchAll(PLACEHOLDER)].flatMap(([, , name]) => name ?? []))
  const unknown = names.find((name) => !values.has(name))
  if (unknown !== undefined) {
    const known = [...values.keys()]
    const list = known.map((name) => `{${name}}`).join(', ')
    return err(`the command has the placeholder {${unknown}}; there are ${list}.${didYouMean(unknown, known)}`)
  }
  return ok(
    words.map((word) =>
      word.replace(PLACEHOLDER, (_, literal?: string, name?: string) => literal ?? values.get(name ?? '') ?? ''),
    ),
  )
}
