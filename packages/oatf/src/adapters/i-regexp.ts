/** Regular expressions for JSONPath `match` and `search`: I-Regexp (RFC 9485), run on RE2. */
import { exceeded, type Limits } from '@joust/source'
import { jsonpath } from 'json-p3'
import { oatfLimits } from '../model/limits.ts'
import { payForPattern, RegexCache, testRegex } from './metered-regex.ts'
import type { StepMeter } from './step-meter.ts'

export class IRegexps {
  readonly #valid = new Map<string, boolean>()
  readonly #compiled: RegexCache

  constructor(limits: Limits) {
    this.#compiled = new RegexCache(limits)
  }

  /** True if the text matches. A pattern that is not an I-Regexp matches nothing (RFC 9535 §2.4.6 and §2.4.7). */
  test(pattern: string, text: string, meter: StepMeter, how: 'test' | 'testWhole'): boolean {
    const { limits } = meter
    if (pattern.length > limits.regexPattern) meter.stop(exceeded(limits, 'regexPattern', pattern.length))
    payForPattern(pattern, meter)
    if (!this.#isValid(pattern)) return false
    const regex = this.#compiled.compile(toRe2(pattern), meter)
    // RE2 may reject a valid I-Regexp with a large repetition count. That must not be a silent mismatch.
    if (!regex.ok) throw new Error(`the regular expression cannot be run: ${regex.error.message}`)
    return testRegex(regex.value, text, meter, how)
  }

  #isValid(pattern: string): boolean {
    const cached = this.#valid.get(pattern)
    if (cached !== undefined) return cached
    if (this.#valid.size >= oatfLimits.rememberedPatterns) this.#valid.clear()
    const valid = isIRegexp(pattern)
    this.#valid.set(pattern, valid)
    return valid
  }
}

function isIRegexp(pattern: string): boolean {
  const search = new jsonpath.functions.Search({ throwErrors: true, cacheSize: 0 })
  try {
    // The library checks the pattern, then calls `match` on the text. This stub never runs the pattern.
    search.call({ match: () => null } as unknown as string, pattern)
    return true
  } catch (error) {
    // Other errors come from the native engine, or from a pattern too deep for the check, which RE2 also rejects.
    return !(error instanceof Error && error.name === 'IRegexpError')
  }
}

/** Translates an I-Regexp to RE2. In I-Regexp, a dot does not match a carriage return either. */
function toRe2(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gsu, (token) => (token === '.' ? '[^\\n\\r]' : token))
}
