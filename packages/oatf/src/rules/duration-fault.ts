import { describeValue, type Value } from '@joust/source'
import { parseDuration } from '../primitives/parse-duration.ts'

/** What is wrong with the value of a duration field; undefined when it is absent or a duration. */
export function durationFault(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string')
    return `expected a duration in quotes such as "30s" or "PT5M", got ${describeValue(value)}`
  const parsed = parseDuration(value)
  return parsed.ok ? undefined : parsed.error.message
}
