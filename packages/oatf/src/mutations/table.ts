/** All mutations, in the order in which they are tried: most effective and least invasive first. */
import { encodings } from './encodings.ts'
import { framings } from './framings.ts'
import { letters } from './letters.ts'
import type { Mutation } from './mutation.ts'
import { positions } from './positions.ts'
import { splittings } from './splittings.ts'
import { surfaces } from './surfaces.ts'

export const mutationTable: readonly Mutation[] = [
  ...framings,
  ...encodings,
  ...letters,
  ...positions,
  ...splittings,
  ...surfaces,
]
