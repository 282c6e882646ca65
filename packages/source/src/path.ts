/** Where a value sits in a tree: keys and indices from the root. */
export type Path = readonly (string | number)[]

/** A path as diagnostics spell it: `attack.indicators[0].pattern.regex`; keys stand as they are, dots included. */
export function formatPath(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}
