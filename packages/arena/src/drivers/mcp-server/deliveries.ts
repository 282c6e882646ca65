/** Keeps count of what has reached a peer: a payload that nobody got must not look like one that was resisted. */
import type { Stage } from '../driver.ts'

/** What is on its way. */
export interface Deliveries {
  /** Expects a message to be delivered at least once; the result is to be called when it is. */
  expect(what: string): () => void
  /** The same for the answer to a request of the peer, from when the request came in. */
  expectAnswer(method: string): () => void
  /** Reports what has not been. */
  finish(): void
}

/** Nothing on its way yet. */
export function createDeliveries(stage: Stage): Deliveries {
  const expected = new Set<() => void>()
  const expect = (report: () => void) => {
    expected.add(report)
    return () => void expected.delete(report)
  }
  return {
    expect: (what) => expect(() => stage.report('not-delivered', `${what}: no peer was there to take it`)),
    expectAnswer: (method) => expect(() => reportUndelivered(stage, method)),
    finish() {
      for (const report of expected) report()
      expected.clear()
    },
  }
}

/** Says that the peer never got what it asked for. */
export function reportUndelivered(stage: Stage, method: string): void {
  stage.report('answer-undelivered', `nobody was there to take the answer to ${method}`)
}
