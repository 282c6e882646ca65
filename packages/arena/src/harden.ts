/** `@joust/arena/harden`: the smallest change of an agent file that stops attacks. Needs `@joust/agentformat`. */

export { type EditedFile, editAgent } from './harden/edit.ts'
export { hardenAgent } from './harden/harden.ts'
export type { HardenBatch, Hardened, HardenOptions, TriedSet } from './harden/options.ts'
export type { Restraint, RestraintRow } from './harden/restraint.ts'
export { restraintTable } from './harden/restraints/table.ts'
export type { Effect } from './harden/smallest.ts'
