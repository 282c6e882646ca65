/**
 * The ways to restrain an agent, in the order in which they are preferred where one does as well as another: what is about
 * the abuse itself before what only counts, since an attack that comes first is not stopped by counting.
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
