import { own, type Path, type Value } from '@joust/source'
import type { Walk } from '../walk.ts'

/** Every `expression.variables` of a document, whatever it is. */
export function variableSites(walk: Walk): { path: Path; variables: Value }[] {
  return walk.indicators.flatMap((indicator) => {
    const expression = own(indicator.value, 'expression')
    const variables = own(expression, 'variables')
    return variables === undefined ? [] : [{ path: [...indicator.path, 'expression', 'variables'], variables }]
  })
}
