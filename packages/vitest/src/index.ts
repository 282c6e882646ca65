/** Matchers for Vitest, with their types: `expect.extend({ toResist })`. Jest uses `@joust/vitest/matchers`. */
import 'vitest'
import type { AttackInput, ResistOptions } from './matchers.ts'

export { type AttackInput, type MatcherResult, type ResistOptions, toResist } from './matchers.ts'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: Vitest declares the parameter like this, and both must agree
  interface Matchers<T = any> {
    /** Passes if the target resists the attack. */
    toResist(attack: AttackInput, options?: ResistOptions): Promise<T>
  }
}
