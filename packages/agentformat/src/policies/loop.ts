import type { LoopConfig } from '../model/policy.ts'
import { configPath, type PlannedCondition, type PolicyPlan } from './plan.ts'
import { plannedOutput, stepDelegations } from './steps.ts'

/** `agf.loop`: the steps in order, in every iteration anew; nothing is carried from one iteration to the next (OPEN-30). */
export function planLoop(config: LoopConfig): PolicyPlan {
  return {
    policy: 'agf.loop',
    order: 'loop',
    delegations: stepDelegations(config.steps, 'steps'),
    conditions: exitCondition(config),
    ...plannedOutput(config.output_from, 'last'),
  }
}

function exitCondition({ exit_condition: condition }: LoopConfig): PlannedCondition[] {
  if (condition === undefined) return []
  return [{ condition, path: [...configPath, 'exit_condition'], place: 'exit_condition' }]
}
