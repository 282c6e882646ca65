/** Regular expressions in CEL and JSONPath: RE2, paid for step by step, because a message may supply the pattern. */
import { compileRegex, type Limits, type Regex, type RegexFault, type Result } from '@joust/source'
import { oatfLimits } from '../model/limits.ts'
import type { StepMeter } from './step-meter.ts'

/** Instructions × characters that one step pays for. */
const WORK_PER_STEP = 250
/** What reading a pattern costs: Unicode classes are large. */
const STEPS_PER_CHARACTER = 4
const STEPS_PER_UNICODE_CLASS = 200

/** Compiled patterns. What is remembered changes how long a match takes, never its price. */
export class RegexCache {
  readonly #compiled = new Map<string, Result<Regex, RegexFault>>()
  readonly #limits: Limits

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** The compiled pattern. A pattern over a limit ends the evaluation. */
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

/** Runs a compiled pattern, on part of the text or on the whole. A match over a limit ends the evaluation. */
export function testRegex(regex: Regex, text: string, meter: StepMeter, how: 'test' | 'testWhole'): boolean {
  const found = regex[how](text)
  if (!found.ok) meter.stop(found.error)
  // Paid afterwards, so that a match over `regexWork` is reported under that name.
  meter.spend((regex.programSize * text.length) / WORK_PER_STEP)
  return found.value
}

/** Pays for reading a pattern, once in an evaluation. One that is too long is not read. */
export function payForPattern(pattern: string, meter: StepMeter): void {
  if (pattern.length > meter.limits.regexPattern || !meter.firstUse(pattern)) return
  const classes = pattern.split(/\\p/i).length - 1
  meter.spend(pattern.length * STEPS_PER_CHARACTER + classes * STEPS_PER_UNICODE_CLASS)
}
