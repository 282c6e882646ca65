/** The patterns that names in a document follow (SDK §2.20, §3.2). */
import { describeValue } from '@joust/source'
import type { ReportOptions } from './rule.ts'

const SNAKE_CASE = /^[a-z][a-z0-9_]*$/
const MODE = /^[a-z][a-z0-9_]*_(?:server|client)$/

/** Whether a text is a snake_case name, as those of actors, extractors and protocols are. */
export function isSnakeCase(text: string): boolean {
  return SNAKE_CASE.test(text)
}

/** Whether a text is a mode: a protocol, then `_server` or `_client`. */
export function isMode(text: string): boolean {
  return MODE.test(text)
}

/** What to report about a name that is not snake_case, with the spelling that was probably meant. */
export function snakeCaseFault(name: unknown): [message: string, options?: ReportOptions] {
  const rule = `${describeValue(name)} is not snake_case: a lower-case letter, then lower-case letters, digits and "_"`
  const candidate = typeof name === 'string' ? name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_') : ''
  return isSnakeCase(candidate) && candidate.length <= 64 ? [rule, { meant: candidate }] : [rule]
}
