import { exceeded, type LimitExceeded, type Limits } from '@joust/source'

/** Thrown to leave a library's evaluator from any depth. Caught in the adapters. */
class LimitHit extends Error {}

/**
 * A clock that ends an evaluation as a last resort. The step limit applies first, so that a verdict does not depend on
 * the speed of the machine.
 */
interface Backstop {
  readonly limit: 'celMilliseconds'
  readonly now: () => number
}

const STEPS_BETWEEN_READS = 1000

/** Number of characters, or of list or map items, that cost one step. */
const CHARACTERS_PER_STEP = 256
const ITEMS_PER_STEP = 4

/** The remaining steps of an evaluation. The first exceeded limit is stored in `hit` and ends the evaluation. */
export class StepMeter {
  readonly limits: Limits
  hit: LimitExceeded | undefined
  readonly #stepLimit: 'celSteps' | 'jsonPathSteps'
  readonly #backstop: Backstop | undefined
  #deadline: number | undefined
  #steps: number
  #patterns: Set<string> | undefined
  #nextRead: number

  constructor(limits: Limits, stepLimit: 'celSteps' | 'jsonPathSteps', backstop?: Backstop) {
    this.limits = limits
    this.#stepLimit = stepLimit
    this.#backstop = backstop
    this.#steps = limits[stepLimit]
    this.#nextRead = this.#steps - STEPS_BETWEEN_READS
  }

  /** Spends steps; fractions add up. */
  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) this.stop(exceeded(this.limits, this.#stepLimit))
    if (this.#steps < this.#nextRead) this.#checkClock()
  }

  spendText(characters: number): void {
    this.spend(characters / CHARACTERS_PER_STEP)
  }

  spendItems(items: number): void {
    this.spend(items / ITEMS_PER_STEP)
  }

  firstUse(pattern: string): boolean {
    this.#patterns ??= new Set()
    if (this.#patterns.has(pattern)) return false
    this.#patterns.add(pattern)
    return true
  }

  stop(limit: LimitExceeded): never {
    this.hit ??= limit
    this.#steps = -1
    throw new LimitHit(limit.message)
  }

  #checkClock(): void {
    this.#nextRead = this.#steps - STEPS_BETWEEN_READS
    if (this.#backstop === undefined) return
    const { limit, now } = this.#backstop
    const time = now()
    // Most evaluations end before the first read.
    this.#deadline ??= time + this.limits[limit]
    if (time > this.#deadline) this.stop(exceeded(this.limits, limit))
  }
}

/** True for a stack overflow: V8 and JavaScriptCore throw a RangeError, SpiderMonkey an InternalError. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|too much recursion/i.test(error.message)
}
