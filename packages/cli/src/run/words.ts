/** Words of the command line that say more than one thing. */
import { parseDuration } from '@joust/oatf'
import { err, ok, type Result } from '@joust/source'

/** `a=b`, several of them; a fault names the option. */
export function readPairs(option: string, words: readonly string[] = []): Result<Record<string, string>, string> {
  const pairs: Record<string, string> = {}
  for (const word of words) {
    const at = word.indexOf('=')
    if (at < 1 || at === word.length - 1) return err(`${option} wants NAME=VALUE, not "${word}"`)
    const name = word.slice(0, at)
    if (Object.hasOwn(pairs, name)) return err(`${option} has ${name} twice`)
    Object.defineProperty(pairs, name, { value: word.slice(at + 1), enumerable: true })
  }
  return ok(pairs)
}

/** A whole number of at least `least`. */
export function readCount(option: string, word: string | undefined, least = 1): Result<number | undefined, string> {
  if (word === undefined) return ok(undefined)
  const number = /^\d{1,12}$/.test(word) ? Number(word) : Number.NaN
  return number >= least ? ok(number) : err(`${option} wants a whole number from ${least} on, not "${word}"`)
}

/** A duration in milliseconds: `30s`, `5m`, `PT1H`; `0` is none at all. */
export function readTime(option: string, word: string | undefined): Result<number | undefined, string> {
  if (word === undefined) return ok(undefined)
  if (word === '0') return ok(0)
  if (/^\d{1,9}ms$/.test(word)) return ok(Number.parseInt(word, 10))
  const duration = parseDuration(word)
  return duration.ok ? duration : err(`${option} wants a duration such as 500ms, 30s, 5m or PT1H, not "${word}"`)
}

/** All values, or every fault. */
export function allOf<T extends Record<string, unknown>>(
  results: {
    readonly [Key in keyof T]: Result<T[Key], string>
  },
): Result<T, string[]> {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, result] of Object.entries<Result<unknown, string>>(results)) {
    if (result.ok) values[name] = result.value
    else faults.push(result.error)
  }
  // Every key is there when there are no faults.
  return faults.length > 0 ? err(faults) : ok(values as T)
}
