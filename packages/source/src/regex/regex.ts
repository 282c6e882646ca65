/** The only importer of re2js: linear-time regular expressions with limits on pattern, program and work. */
import { RE2JS } from 're2js'
import { exceeded, type LimitExceeded, type Limits, withLimits } from '../model/limits.ts'
import { err, messageOf, ok, type Result } from '../model/result.ts'
import type { Span } from '../model/source.ts'
import { containsText } from '../text/find-text.ts'
import { findLiteral, literalAlternatives } from './literal-regex.ts'
import { plainGroupCount } from './plain-regex.ts'
import { FRAME, leastProgramSize } from './regex-size.ts'

/** An invalid pattern, or a valid one that exceeds `limit`. */
export interface RegexFault {
  readonly message: string
  readonly limit?: LimitExceeded
}

/**
 * Checks the syntax of an RE2 pattern. Rejects patterns that are certainly too large, because compiling them would take
 * seconds.
 */
export function regexSyntax(pattern: string, changes?: Partial<Limits>): Result<{ groupCount: number }, RegexFault> {
  const limits = withLimits(changes)
  const fault = tooLarge(pattern, limits)
  if (fault !== undefined) return err(fault)
  const groupCount = plainGroupCount(pattern)
  if (groupCount !== undefined) return ok({ groupCount })
  const engine = compileEngine(pattern)
  return engine.ok ? ok({ groupCount: engine.value.groupCount() }) : engine
}

/**
 * Compiles a pattern for matching.
 *
 * @example
 * const regex = compileRegex('(id_rsa|passwd)')
 * if (regex.ok) console.log(regex.value.test('cat /etc/passwd'))
 */
export function compileRegex(pattern: string, changes?: Partial<Limits>): Result<Regex, RegexFault> {
  const limits = withLimits(changes)
  const fault = tooLarge(pattern, limits)
  if (fault !== undefined) return err(fault)
  const compiled = compileEngine(pattern)
  if (!compiled.ok) return compiled
  const size = compiled.value.programSize()
  if (size > limits.regexProgram) return err(over(limits, 'regexProgram', size))
  return ok(new Regex(pattern, compiled.value, size, limits))
}

function over(limits: Limits, name: 'regexPattern' | 'regexProgram', size: number): RegexFault {
  const limit = exceeded(limits, name, size)
  return { message: `the regular expression is ${limit.message}`, limit }
}

/** A compiled RE2 expression. Matches are partial. Exceeding the work limit is an error, not `false`. */
export class Regex {
  readonly pattern: string
  readonly groupCount: number
  /** The number of instructions in the compiled program. The work of a match is this number times the text length. */
  readonly programSize: number
  readonly #engine: RE2JS
  readonly #limits: Limits
  readonly #literals: readonly string[] | undefined

  constructor(pattern: string, engine: RE2JS, size: number, limits: Limits) {
    this.pattern = pattern
    this.groupCount = engine.groupCount()
    this.#engine = engine
    this.programSize = size
    this.#limits = limits
    this.#literals = literalAlternatives(pattern)
  }

  /** True if the text contains a match. */
  test(text: string): Result<boolean, LimitExceeded> {
    const literals = this.#literals
    return this.#within(text, () =>
      literals === undefined ? this.#engine.test(text) : literals.some((literal) => containsText(text, literal)),
    )
  }

  /** True if the whole text matches. */
  testWhole(text: string): Result<boolean, LimitExceeded> {
    return this.#within(text, () => this.#literals?.includes(text) ?? this.#engine.testExact(text))
  }

  /** Finds the first match that starts at `from` or later. `^` matches only the start of the text. */
  find(text: string, from = 0): Result<Span | undefined, LimitExceeded> {
    const literals = this.#literals
    return this.#within(text, () => {
      if (literals !== undefined) return findLiteral(literals, text, from)
      const matcher = this.#firstMatch(text, from)
      return matcher && { start: matcher.start(), end: matcher.end() }
    })
  }

  /** Returns the first capture group in the first match; undefined if there is no match or no group. */
  capture(text: string): Result<string | undefined, LimitExceeded> {
    if (this.groupCount === 0) return ok(undefined)
    const literals = this.#literals
    return this.#within(text, () => {
      if (literals === undefined) return this.#firstMatch(text)?.group(1) ?? undefined
      // The only group in a literal contains everything.
      const span = findLiteral(literals, text)
      return span && text.slice(span.start, span.end)
    })
  }

  /** Calls `test` first, because the engine's matcher is much slower on a text without a match. */
  #firstMatch(text: string, from = 0): ReturnType<RE2JS['matcher']> | undefined {
    if (from === 0 && !this.#engine.test(text)) return undefined
    const matcher = this.#engine.matcher(text)
    return matcher.find(Math.min(from, text.length)) ? matcher : undefined
  }

  #within<T>(text: string, run: () => T): Result<T, LimitExceeded> {
    const work = this.programSize * text.length
    return work > this.#limits.regexWork ? err(exceeded(this.#limits, 'regexWork', work)) : ok(run())
  }
}

function tooLarge(pattern: string, limits: Limits): RegexFault | undefined {
  if (pattern.length > limits.regexPattern) return over(limits, 'regexPattern', pattern.length)
  // Without counts, the lower bound is at most one instruction per character plus the frame.
  if (pattern.length + FRAME <= limits.regexProgram && !pattern.includes('{')) return undefined
  const least = leastProgramSize(pattern)
  return least > limits.regexProgram ? over(limits, 'regexProgram', least) : undefined
}

function compileEngine(pattern: string): Result<RE2JS, RegexFault> {
  try {
    return ok(RE2JS.compile(pattern))
  } catch (error) {
    // re2js throws for invalid syntax. If its parser overflows the stack, the pattern could not run either.
    const reason = messageOf(error).replace(/^error parsing regexp: /, '')
    return err({ message: error instanceof RangeError ? 'nested too deeply' : reason })
  }
}
