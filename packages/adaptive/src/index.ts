/** Searches for working baits, hardens agent files, and proves attack documents. */

export { modelAttacker } from './attacker/model-attacker.ts'
export { modelSynthesizer, type Synthesizer } from './attacker/synthesize.ts'
export { type EditedFile, editAgent } from './harden/edit.ts'
export { hardenAgent } from './harden/harden.ts'
export type { HardenBatch, Hardened, HardenOptions, TriedSet } from './harden/options.ts'
export type { Restraint, RestraintRow } from './harden/restraint.ts'
export { restraintTable } from './harden/restraints/table.ts'
export type { Effect } from './harden/smallest.ts'
export { type PositiveControl, type PositiveControlOptions, runPositiveControl } from './prove/positive-control.ts'
export {
  type Proof,
  type ProofAgent,
  type ProveOptions,
  proveAttacks,
  type Seen,
  type SeenIndicator,
} from './prove/prove.ts'
export type {
  Attacker,
  AttackerCall,
  AttackerQuestion,
  Attempt,
  Candidate,
  Proposal,
  SearchBatch,
  SearchOptions,
  Tried,
} from './search/options.ts'
export { type Found, type SearchResult, searchBait } from './search/search.ts'
export { modelTalker, type Talker, type TalkQuestion } from './turns/talker.ts'
export {
  searchTurns,
  type TurnSuccess,
  type TurnsBatch,
  type TurnsOptions,
  type TurnsResult,
} from './turns/turns.ts'
