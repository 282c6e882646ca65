/** The options of `joust preflight`. */
import type { OptionRow, OptionTable } from './option.ts'
import { runOptions } from './run.ts'

const shared = ['on', 'maxDuration', 'replyTimeout', 'redact', 'showSecrets', 'json', 'quiet']
// A preflight uses its own server.
const without = ['noPreflight', 'price', 'through', 'allowCall', 'answers']

export const preflightOptions: OptionTable = Object.fromEntries(
  Object.entries<OptionRow>(runOptions)
    .filter(([key, { group }]) => (group === 'Target' || shared.includes(key)) && !without.includes(key))
    .map(([key, { needs: _, conflicts: __, ...row }]) => [key, row]),
)
