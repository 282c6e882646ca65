/**
 * The ways to restrain an agent, in order of preference where several work equally well: those that concern the abuse
 * itself come before those that only count, since counting does not stop an attack that comes first.
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
