import type { Path, Suggestion } from '@joust/source'

/** One way in which a value does not fit a schema. */
export interface SchemaProblem {
  /** Where in the value; for a missing property, where it should be. */
  readonly path: Path
  /** The keyword of JSON Schema that was not met; `limit` when finding out would take too much work. */
  readonly keyword: string
  readonly message: string
  /** The types that the value could have been, when it is of none of them. */
  readonly expected?: readonly string[]
  readonly suggestion?: Suggestion
}

/** A path under construction: a step and what it is a step from. The root is undefined. */
export type PathChain = { readonly parent: PathChain; readonly step: string | number } | undefined

/** The path of a place. */
export function pathOf(place: PathChain): Path {
  const path: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.parent) path.push(at.step)
  return path.reverse()
}
