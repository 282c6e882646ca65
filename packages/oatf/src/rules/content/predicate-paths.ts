import { describeValue } from '../../model/describe-value.ts'
import { isSimplePath } from '../../primitives/dot-path.ts'
import type { Rule } from '../rule.ts'

/** Every key of `trigger.match` and of `when` is a simple dot-path (V-027). */
export const predicatePaths: Rule = (walk, report) => {
  for (const { path, value } of walk.predicates) {
    for (const key of Object.keys(value)) {
      if (!isSimplePath(key)) report([...path, key], pathMessage(key), { at: 'key' })
    }
  }
}

function pathMessage(key: string): string {
  const shown = describeValue(key)
  if (key.includes('[')) return `${shown} has an index or a wildcard; a predicate path is names joined by "." only`
  return `${shown} is not a path of names joined by ".", for example "arguments.command"`
}
