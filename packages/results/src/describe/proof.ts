/** The positive control in words. */
import type { Controls, Proof } from '../model/controls.ts'

const sources: { readonly [proof in Proof]: string } = {
  simulation: 'yes, it exploits a simulated agent that obeys everything',
  library: 'yes, with the library of attacks',
  results: 'yes, it exploited an agent in these results',
  baseline: 'yes, it exploited an agent in the baseline',
  no: 'no',
}

/** The source of a proof; undefined if none was looked for. */
export function proofText({ proven }: Controls = {}): string | undefined {
  return proven && sources[proven]
}

/** A note on a document that does not need an obedient agent. */
export function unspecificNotes({ unspecific }: Controls = {}): readonly string[] {
  return unspecific === true ? [UNSPECIFIC] : []
}

const UNSPECIFIC = 'unspecific: even the simulated agent that follows only its user is exploited'
