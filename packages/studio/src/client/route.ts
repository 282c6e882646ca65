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

export function writeRoute({ view, words, query }: Route): string {
  const path = [view, ...words].map(encodeURIComponent).join('/')
  return `#/${path}${query === '' ? '' : `?${query}`}`
}

/** The address of a run in some results: of its trial, where one is named, else of the first. */
export function linkToRun(
  results: string,
  { target, file, trial }: { readonly target: string; readonly file: string; readonly trial?: number },
): string {
  const query = new URLSearchParams({ target, file, ...(trial !== undefined && { trial: String(trial) }) })
  return writeRoute({ view: 'see', words: [results], query: query.toString() })
}

/** The address for judging the trace of a trial by the attack that it is of. */
export function linkToJudge(results: string, trace: string, attack: string): string {
  return writeRoute({ view: 'judge', words: [], query: new URLSearchParams({ results, trace, attack }).toString() })
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
