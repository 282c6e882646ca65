/** Metered RE2 regular expressions for CEL and JSONPath, whose patterns may come from a message. */
import { compileRegex, type Limits, type Regex, type RegexFault, type Result } from '@joust/source'
import { oatfLimits } from '../model/limits.ts'
import type { StepMeter } from './step-meter.ts'

/** The work that costs one step when matching, in instructions × characters. */
const WORK_PER_STEP = 250
/** The cost of compiling a pattern, per character and per Unicode class, which is large. */
const STEPS_PER_CHARACTER = 4
const STEPS_PER_UNICODE_CLASS = 200

/** Compiled patterns. The cache affects only the duration of a match, not its cost in steps. */
export class RegexCache {
  readonly #compiled = new Map<string, Result<Regex, RegexFault>>()
  readonly #limits: Limits

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Compiles a pattern. Exceeding a limit ends the evaluation. */
  compile(pattern: string, meter: StepMeter): Result<Regex, RegexFault> {
    payForPattern(pattern, meter)
    const compiled = this.#compiled.get(pattern) ?? this.#remember(pattern)
    if (!compiled.ok && compiled.error.limit !== undefined) meter.stop(compiled.error.limit)
    return compiled
  }

  #remember(pattern: string): Result<Regex, RegexFault> {
    const compiled = compileRegex(pattern, this.#limits)
    if (this.#compiled.size >= oatfLimits.rememberedPatterns) this.#compiled.clear()
    this.#compiled.set(pattern, compiled)
    return compiled
  }
}

/** Tests part or all of a text. A match over a limit ends the evaluation. */
export function testRegex(regex: Regex, text: string, meter: StepMeter, how: 'test' | 'testWhole'): boolean {
  const match = regex[how](text)
  if (!match.ok) meter.stop(match.error)
  // The steps are spent afterwards, so that a match over `regexWork` is reported under that name.
  meter.spend((regex.programSize * text.length) / WORK_PER_STEP)
  return match.value
}

/** Spends a pattern's steps once per evaluation. A pattern that is too long is not compiled. */
export function payForPattern(pattern: string, meter: StepMeter): void {
  if (pattern.length > meter.limits.regexPattern || !meter.firstUse(pattern)) return
  const classes = pattern.split(/\\p/i).length - 1
  meter.spend(pattern.length * STEPS_PER_CHARACTER + classes * STEPS_PER_UNICODE_CLASS)
}
