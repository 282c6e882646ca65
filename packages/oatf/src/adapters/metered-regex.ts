/** Regular expressions inside CEL and JSONPath: RE2, paid for step by step, because a message may supply the pattern. */
import { compileRegex, type Limits, type Regex, type RegexFault, type Result } from '@joust/source'
import { oatfLimits } from '../model/limits.ts'
import type { Budget } from './budget.ts'

/** Instructions × characters that one step pays for. */
const WORK_PER_STEP = 250
/** What reading a pattern costs: Unicode classes are large. */
const STEPS_PER_CHARACTER = 4
const STEPS_PER_UNICODE_CLASS = 200

/** Compiled patterns. What it remembers changes the time a match takes, never its price. */
export class RegexCache {
  readonly #compiled = new Map<string, Result<Regex, RegexFault>>()
  readonly #limits: Limits

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** The compiled pattern. A pattern over a limit ends the evaluation. */
  compile(pattern: string, budget: Budget): Result<Regex, RegexFault> {
    payForPattern(pattern, budget)
    const compiled = this.#compiled.get(pattern) ?? this.#remember(pattern)
    if (!compiled.ok && compiled.error.limit !== undefined) budget.stop(compiled.error.limit)
    return compiled
  }

  #remember(pattern: string): Result<Regex, RegexFault> {
    const compiled = compileRegex(pattern, this.#limits)
    if (this.#compiled.size >= oatfLimits.rememberedPatterns) this.#compiled.clear()
    this.#compiled.set(pattern, compiled)
    return compiled
  }
}

/** Runs a compiled pattern, on part of the text or on the whole. A match over a limit ends the evaluation. */
export function testRegex(regex: Regex, text: string, budget: Budget, how: 'test' | 'testWhole'): boolean {
  const found = regex[how](text)
  if (!found.ok) budget.stop(found.error)
  // Paid afterwards, so that a match over `regexWork` is reported under that name.
  budget.spend((regex.programSize * text.length) / WORK_PER_STEP)
  return found.value
}

/** Pays for reading a pattern, once in an evaluation. One that is too long is not read. */
export function payForPattern(pattern: string, budget: Budget): void {
  if (pattern.length > budget.limits.regexPattern || !budget.firstUse(pattern)) return
  const classes = pattern.split(/\\p/i).length - 1
  budget.spend(pattern.length * STEPS_PER_CHARACTER + classes * STEPS_PER_UNICODE_CLASS)
}
