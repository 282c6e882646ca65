import { describeValue, err, ok, type Result, type Value } from '@joust/source'
import type { ParseError } from '../model/errors.ts'

const SHORTHAND = /^([0-9]+)([smhd])$/
const ISO = /^P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)S)?)?$/
const MILLISECONDS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/**
 * Converts a duration to milliseconds ([OATF SDK §5.2](https://oatf.io/sdk/execution-primitives/)): `30s`, `5m`, `1h`,
 * `2d`, or ISO 8601 in whole units, from days to seconds.
 *
 * @example
 * const milliseconds = unwrap(parseDuration('5m'))
 */
export function parseDuration(text: string): Result<number, ParseError> {
  const milliseconds = typeof text === 'string' ? (shorthand(text) ?? iso(text)) : undefined
  if (milliseconds === undefined)
    return invalid(`${describeValue(text)} is not a duration such as 30s, 5m, 1h, 2d or PT1H30M`)
  if (!Number.isSafeInteger(milliseconds)) return invalid(`${describeValue(text)} is too long`)
  return ok(milliseconds)
}

function shorthand(text: string): number | undefined {
  const match = SHORTHAND.exec(text)
  if (match === null) return undefined
  // The regular expression allows only these four units.
  return Number(match[1]) * MILLISECONDS[match[2] as keyof typeof MILLISECONDS]
}

function iso(text: string): number | undefined {
  const match = ISO.exec(text)
  // "P" and "PT" have no component; "P1DT" has a separator with nothing after it.
  if (match === null || text.endsWith('T') || text === 'P') return undefined
  const [days, hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0))
  return (
    (days ?? 0) * MILLISECONDS.d +
    (hours ?? 0) * MILLISECONDS.h +
    (minutes ?? 0) * MILLISECONDS.m +
    (seconds ?? 0) * MILLISECONDS.s
  )
}

function invalid(message: string): Result<never, ParseError> {
  return err({ severity: 'error', code: 'syntax', kind: 'syntax', message })
}

/** Returns the error for a duration field; undefined if it is missing or valid. */
export function durationFault(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string')
    return `expected a duration in quotes such as "30s" or "PT5M", got ${describeValue(value)}`
  const parsed = parseDuration(value)
  return parsed.ok ? undefined : parsed.error.message
}
