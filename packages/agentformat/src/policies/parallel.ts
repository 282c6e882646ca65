import type { ParallelConfig } from '../model/policy.ts'
import type { PolicyPlan } from './plan.ts'
import { plannedOutput, stepDelegations } from './steps.ts'

/** `agf.parallel`: all sub-agents start together, so none can read from another. */
export function planParallel(config: ParallelConfig): PolicyPlan {
  return {
    policy: 'agf.parallel',
    order: 'together',
    delegations: stepDelegations(config.agents, 'agents'),
    conditions: [],
    ...plannedOutput(config.output_from, 'merge'),
  }
}
