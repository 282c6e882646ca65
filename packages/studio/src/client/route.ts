/** Where the user is, as the part of the address after `#`. */

export const views = ['write', 'run', 'see', 'judge'] as const
export type View = (typeof views)[number]

export interface Route {
  readonly view: View
  /** What it shows: a file, for example, or results and one of their trials. */
  readonly words: readonly string[]
  readonly query: string
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view, ...words] = path.split('/').map(decode)
  return { view: views.find((one) => one === view) ?? 'run', words: words.filter((word) => word !== ''), query }
}

/** The address of a view and of what it shows. */
export function linkTo(
  view: View,
  words: readonly string[] = [],
  query: string | Readonly<Record<string, string>> = '',
): string {
  const path = [view, ...words].map(encodeURIComponent).join('/')
  const asked = new URLSearchParams(query).toString()
  return `#/${path}${asked === '' ? '' : `?${asked}`}`
}

/** The address of a run in some results: of its trial, where one is named, else of the first. */
export function linkToRun(
  results: string,
  { target, file, trial }: { readonly target: string; readonly file: string; readonly trial?: number },
): string {
  return linkTo('see', [results], { target, file, ...(trial !== undefined && { trial: String(trial) }) })
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
