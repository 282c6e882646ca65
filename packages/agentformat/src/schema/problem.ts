import type { Path, Suggestion } from '@joust/source'

/** A value that does not match a schema. */
export interface SchemaProblem {
  /** The path to the invalid value. For a missing property, the path includes the property name. */
  readonly path: Path
  /** The failed JSON Schema keyword, or `limit` if validation would take too many steps. */
  readonly keyword: string
  readonly message: string
  /** The expected types if the value has none of them. */
  readonly expected?: readonly string[]
  readonly suggestion?: Suggestion
}

/** A path as a linked list from the last step to the first. Undefined for the root. */
export type PathChain = { readonly parent: PathChain; readonly step: string | number } | undefined

export function pathOf(place: PathChain): Path {
  const path: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.parent) path.push(at.step)
  return path.reverse()
}
