import { isList, own, type Value } from './value.ts'

/** The path of a value in a tree: keys and indices from the root. */
export type Path = readonly (string | number)[]

/** Formats a path for diagnostics: `attack.indicators[0].pattern.regex`. Keys are not escaped, not even dots. */
export function formatPath(path: Path): string {
  let text = ''
  for (const [index, step] of path.entries()) {
    if (typeof step === 'number') text += `[${step}]`
    else text += index === 0 ? step : `.${step}`
  }
  return text
}

/** Parses a path in the notation of `formatPath`. */
export function parsePath(text: string): Path | undefined {
  const steps: (string | number)[] = []
  for (const part of text.split('.')) {
    const match = /^([^[\]]*)((?:\[\d{1,9}\])*)$/.exec(part)
    if (match === null || match[1] === '') return undefined
    steps.push(match[1] ?? '', ...[...(match[2] ?? '').matchAll(/\d+/g)].map(([digits]) => Number(digits)))
  }
  return formatPath(steps) === text ? steps : undefined
}

/** Returns the value at a path; undefined if the path does not exist. Own properties only. */
export function valueAt(root: Value, path: Path): Value | undefined {
  let here: Value | undefined = root
  for (const step of path) {
    if (typeof step === 'number') here = isList(here) ? here[step] : undefined
    else here = own(here, step)
  }
  return here
}
