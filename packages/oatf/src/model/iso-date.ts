const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/

/** Whether a value is an ISO 8601 date or date-time string (SDK §2.1); a missing offset is read as UTC. */
export function isIsoDate(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 64) return false
  const day = DATE_TIME.exec(value)?.[1] ?? value
  const parts = DATE.exec(day)
  if (parts === null) return false
  const [year, month, date] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const real = new Date(Date.UTC(year, month - 1, date))
  return real.getUTCMonth() === month - 1 && real.getUTCDate() === date
}
