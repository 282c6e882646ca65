/** The standard policies: how each one's configuration becomes a plan. */
import { type ExecutionPolicy, standardPolicy } from '../model/policy.ts'
import { planBatch } from './batch.ts'
import { planConditional } from './conditional.ts'
import { planLoop } from './loop.ts'
import { planParallel } from './parallel.ts'
import type { PolicyPlan } from './plan.ts'
import { planReact } from './react.ts'
import { planSequential } from './sequential.ts'

/** The plan of a policy; undefined for one that is not standard, whose configuration is its vendor's business. */
export function planOf(policy: ExecutionPolicy): PolicyPlan | undefined {
  const standard = standardPolicy(policy)
  switch (standard?.id) {
    case 'agf.react':
      return planReact()
    case 'agf.sequential':
      return planSequential(standard.config)
    case 'agf.parallel':
      return planParallel(standard.config)
    case 'agf.loop':
      return planLoop(standard.config)
    case 'agf.batch':
      return planBatch(standard.config)
    case 'agf.conditional':
      return planConditional(standard.config)
    case undefined:
      return undefined
  }
}
