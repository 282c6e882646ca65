/**
 * The kinds of restraints, in order of preference. Restraints on the abused call come before limits on the number of
 * calls, which cannot stop an attack that succeeds with the first call.
 */
import type { RestraintRow } from '../restraint.ts'
import { approval } from './approval.ts'
import { budget } from './budget.ts'
import { delegationDepth } from './delegation-depth.ts'
import { denyServer } from './deny-server.ts'
import { dropTool } from './drop-tool.ts'
import { governance } from './governance.ts'
import { instructions } from './instructions.ts'
import { interfaceSchema } from './interface-schema.ts'

export const restraintTable: readonly RestraintRow[] = [
  dropTool,
  approval,
  denyServer,
  interfaceSchema,
  governance,
  delegationDepth,
  budget,
  instructions,
]
