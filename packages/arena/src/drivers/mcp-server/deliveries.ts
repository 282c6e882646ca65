/** Keeps count of what has reached a peer: a payload that nobody got must not look like one that was resisted. */
import type { Stage } from '../../driver.ts'

/** What is on its way. */
export interface Deliveries {
  /** Expects a message to be delivered at least once; the result is to be called when it is. */
  expect(what: string): () => void
  /** Reports what has not been. */
  finish(): void
}

/** Nothing on its way yet. */
export function createDeliveries(stage: Stage): Deliveries {
  const expected = new Set<{ readonly what: string }>()
  return {
    expect(what) {
      const one = { what }
      expected.add(one)
      return () => void expected.delete(one)
    },
    finish() {
      for (const { what } of expected) stage.report('not-delivered', `${what}: no peer was there to take it`)
      expected.clear()
    },
  }
}
