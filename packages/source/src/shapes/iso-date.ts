const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const DAY_OF_YEAR =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))'
const DATE = `(?:[0-9]{4}-${DAY_OF_YEAR}|${LEAP_YEAR}-02-29)`
const HOURS = '(?:[01][0-9]|2[0-3])'
const TIME = `${HOURS}:[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]+)?)?(?:[Zz]|[+-]${HOURS}:?[0-5][0-9])?`

interface TextForm {
  readonly pattern: RegExp
  readonly longest: number
}

/** An ISO 8601 date or date-time ([OATF SDK §2.1](https://oatf.io/sdk/core-types/)). A missing offset means UTC. */
export const isoDate: TextForm = { pattern: new RegExp(`^${DATE}(?:[Tt ]${TIME})?$`), longest: 64 }

/** A time as written by `toISOString`, with any number of decimals. */
export const utcTime: TextForm = {
  pattern: /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?Z$/,
  longest: 40,
}

export function hasForm(value: unknown, { pattern, longest }: TextForm): boolean {
  return typeof value === 'string' && value.length <= longest && pattern.test(value)
}
