/** Where the user is, as the part of the address after `#`. */

export const views = ['write', 'run', 'see', 'judge'] as const
export type View = (typeof views)[number]

export interface Route {
  readonly view: View
  /** What of it is shown: a file, say, or results and a trial of theirs. */
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

/** Where a run of some results is shown: the trial, where one is named, else the first. */
export function linkToRun(
  results: string,
  { target, file, trial }: { readonly target: string; readonly file: string; readonly trial?: number },
): string {
  const query = new URLSearchParams({ target, file, ...(trial !== undefined && { trial: String(trial) }) })
  return writeRoute({ view: 'see', words: [results], query: query.toString() })
}

/** Where the trace of a trial is judged, by the attack that it is of. */
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
