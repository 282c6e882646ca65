import type { ConditionalConfig } from '../model/policy.ts'
import { configPath, type Delegation, type PolicyPlan } from './plan.ts'
import { delegation } from './steps.ts'

/** `agf.conditional`: the first route whose condition holds, or the default agent. */
export function planConditional(config: ConditionalConfig): PolicyPlan {
  return {
    policy: 'agf.conditional',
    order: 'choice',
    delegations: [
      ...config.routes.map((route, index) =>
        delegation([...configPath, 'routes', index], 'agent', route.agent, route.input_mapping),
      ),
      ...defaultRoute(config),
    ],
    conditions: config.routes.map((route, index) => ({
      condition: route.when,
      path: [...configPath, 'routes', index, 'when'],
      place: 'when',
    })),
  }
}

/** It has no mapping of its own, so it gets the parent's whole input (OPEN-23). */
function defaultRoute({ default_agent: alias }: ConditionalConfig): Delegation[] {
  return alias === undefined ? [] : [delegation(configPath, 'default_agent', alias, undefined)]
}
