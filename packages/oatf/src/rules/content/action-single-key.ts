import { cut } from '@joust/source'
import type { Rule } from '../rule.ts'

/** An entry action has exactly one key that is not an extension (V-041). */
export const actionSingleKey: Rule = (walk, report) => {
  for (const { path, value } of walk.actions) {
    const keys = Object.keys(value).filter((key) => !key.startsWith('x-'))
    if (keys.length === 0) report(path, 'an entry action needs one key, for example "send" or "log"')
    else if (keys.length > 1) {
      report(path, `an entry action has one key, this one has ${listed(keys)}; write one list entry for each`)
    }
  }
}

function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, 3).map((key) => JSON.stringify(cut(key, 60)))
  return keys.length > shown.length ? `${shown.join(', ')} and ${keys.length - shown.length} more` : shown.join(' and ')
}
