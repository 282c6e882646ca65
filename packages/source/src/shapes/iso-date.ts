const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const DAY_OF_YEAR =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))'
const DATE = `(?:[0-9]{4}-${DAY_OF_YEAR}|${LEAP_YEAR}-02-29)`
const HOURS = '(?:[01][0-9]|2[0-3])'
const TIME = `${HOURS}:[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]+)?)?(?:[Zz]|[+-]${HOURS}:?[0-5][0-9])?`

/** An ISO 8601 date or date-time (OATF SDK §2.1); a missing offset is read as UTC. */
export const isoDate = { pattern: `^${DATE}(?:[Tt ]${TIME})?$`, longest: 64 } as const

/** A time as `toISOString` writes it, with any number of decimals. */
export const utcTime = {
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?Z$',
  longest: 40,
} as const

const ISO_DATE = new RegExp(isoDate.pattern)
const UTC_TIME = new RegExp(utcTime.pattern)

/** Whether a value is an ISO 8601 date or date-time string. */
export function isIsoDate(value: unknown): boolean {
  return typeof value === 'string' && value.length <= isoDate.longest && ISO_DATE.test(value)
}

/** Whether a value is a time in UTC. */
export function isUtcTime(value: unknown): boolean {
  return typeof value === 'string' && value.length <= utcTime.longest && UTC_TIME.test(value)
}
