/** Where a value sits in a tree: keys and indices from the root. */
export type Path = readonly (string | number)[]

/** A path as diagnostics spell it: `attack.indicators[0].pattern.regex`; keys stand as they are, dots included. */
export function formatPath(path: Path): string {
  let text = ''
  for (const [index, step] of path.entries()) {
    if (typeof step === 'number') text += `[${step}]`
    else text += index === 0 ? step : `.${step}`
  }
  return text
}
