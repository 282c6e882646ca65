/** Parses and writes the route of the page, which is stored in the URL fragment. */

import { defined } from '@joust/source'
import type { RunPlace } from '../model/api.ts'

export const views = ['write', 'run', 'see', 'judge', 'aim'] as const
export type View = (typeof views)[number]

export interface Route {
  readonly view: View
  /** Path segments after the view, such as a file, or the results and the trial. */
  readonly words: readonly string[]
  readonly query: string
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view, ...words] = path.split('/').map(decode)
  return { view: views.find((one) => one === view) ?? 'run', words: words.filter((word) => word !== ''), query }
}

export function linkTo(
  view: View,
  words: readonly string[] = [],
  query: string | Readonly<Record<string, string>> = '',
): string {
  const path = [view, ...words].map(encodeURIComponent).join('/')
  const search = new URLSearchParams(query).toString()
  return `#/${path}${search === '' ? '' : `?${search}`}`
}

/** Returns the URL of a run in results, by default of its first trial. */
export function linkToRun(
  results: string,
  { target, file, arm, trial }: Pick<RunPlace, 'target' | 'file' | 'arm'> & Partial<Pick<RunPlace, 'trial'>>,
): string {
  return linkTo('see', [results], { target, file, ...defined({ arm, trial: trial?.toString() }) })
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
