import { isList, isRecord, type Value } from '../value.ts'

/** Whether two values are the same to the last detail: kind of number, sign of zero and order of keys included. */
export function sameValue(left: Value, right: Value): boolean {
  const pending: Value[] = [left, right]
  while (pending.length > 0) {
    // Pairs are pushed together, so two are always there.
    const b = pending.pop() as Value
    const a = pending.pop() as Value
    if (isList(a) && isList(b)) {
      if (a.length !== b.length) return false
      for (let index = 0; index < a.length; index++) pending.push(a[index] ?? null, b[index] ?? null)
    } else if (isRecord(a) && isRecord(b)) {
      const keys = Object.keys(a)
      const others = Object.keys(b)
      if (keys.length !== others.length || keys.some((key, index) => key !== others[index])) return false
      for (const key of keys) pending.push(a[key] ?? null, b[key] ?? null)
    } else if (!Object.is(a, b)) return false
  }
  return true
}

/** Whether a value nests deeper than so many levels; one that contains itself does. */
export function isDeeperThan(value: Value, levels: number): boolean {
  const pending: { readonly value: Value; readonly level: number }[] = [{ value, level: 0 }]
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    if (typeof job.value !== 'object' || job.value === null) continue
    if (job.level >= levels) return true
    for (const child of Object.values(job.value)) pending.push({ value: child, level: job.level + 1 })
  }
  return false
}
