/** The patterns for names in a document ([OATF SDK §2.20](https://oatf.io/sdk/core-types/), §3.2). */
import { describeValue } from '@joust/source'
import type { ReportOptions } from './rule.ts'

const SNAKE_CASE = /^[a-z][a-z0-9_]*$/
const MODE = /^[a-z][a-z0-9_]*_(?:server|client)$/

export function isSnakeCase(text: string): boolean {
  return SNAKE_CASE.test(text)
}

export function isMode(text: string): boolean {
  return MODE.test(text)
}

/** Returns the message for a name that is not snake_case, with the likely correction. */
export function snakeCaseFault(name: unknown): [message: string, options?: ReportOptions] {
  const message = `${describeValue(name)} is not snake_case: a lower-case letter, then lower-case letters, digits and "_"`
  const candidate = typeof name === 'string' ? name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_') : ''
  return isSnakeCase(candidate) && candidate.length <= 64 ? [message, { correction: candidate }] : [message]
}
