/** The static plans of the standard policies. */
import type { Path } from '@joust/source'
import {
  type ConditionalConfig,
  type ExecutionPolicy,
  type InputMapping,
  type LoopConfig,
  type OutputFrom,
  type OutputStrategy,
  type PolicyStep,
  standardPolicy,
} from '../model/policy.ts'
import { type Delegation, type PlannedCondition, type PolicyPlan, selectOutput } from './plan.ts'

/**
 * Returns the plan of a policy, or undefined for a vendor policy.
 *
 * @example
 * const plan = planOf(loadedAgent.agent.document.execution_policy)
 * console.log(plan?.delegations.map(({ alias }) => alias))
 */
export function planOf(policy: ExecutionPolicy): PolicyPlan | undefined {
  const standard = standardPolicy(policy)
  if (standard === undefined) return undefined
  return { policy: standard.id, conditions: [], ...stepsOf(standard) }
}

type Steps = Omit<PolicyPlan, 'policy' | 'conditions'> & Partial<Pick<PolicyPlan, 'conditions'>>

function stepsOf({ id, config }: NonNullable<ReturnType<typeof standardPolicy>>): Steps {
  switch (id) {
    case 'agf.react':
      // The model decides at run time.
      return { order: 'choice', delegations: [] }
    case 'agf.sequential':
      return { order: 'sequence', delegations: delegations(config.steps, 'steps'), output: output(config, 'last') }
    case 'agf.parallel':
      return { order: 'together', delegations: delegations(config.agents, 'agents'), output: output(config, 'merge') }
    case 'agf.loop':
      // Outputs of earlier iterations are discarded (Agent Format OPEN-30).
      return {
        order: 'loop',
        delegations: delegations(config.steps, 'steps'),
        conditions: exitCondition(config),
        output: output(config, 'last'),
      }
    case 'agf.batch':
      return { order: 'items', delegations: [delegation(CONFIG, 'agent', config.agent, config.input_mapping)] }
    case 'agf.conditional':
      return {
        order: 'choice',
        delegations: [...delegations(config.routes, 'routes'), ...defaultRoute(config)],
        conditions: config.routes.map(({ when }, index) => {
          return { condition: when, path: [...CONFIG, 'routes', index, 'when'], place: 'when' }
        }),
      }
  }
}

const CONFIG: Path = ['execution_policy', 'config']

function delegations(steps: readonly PolicyStep[], key: 'steps' | 'agents' | 'routes'): Delegation[] {
  return steps.map((step, index) => delegation([...CONFIG, key, index], 'agent', step.agent, step.input_mapping))
}

function delegation(path: Path, key: string, alias: string, mapping: InputMapping | undefined): Delegation {
  const base = { alias, path: [...path, key], mappingPath: [...path, 'input_mapping'] }
  return mapping === undefined ? base : { ...base, mapping }
}

/** Returns the default route, which has no mapping and receives the parent's whole input (OPEN-23). */
function defaultRoute({ default_agent: alias }: ConditionalConfig): Delegation[] {
  return alias === undefined ? [] : [delegation(CONFIG, 'default_agent', alias, undefined)]
}

function exitCondition({ exit_condition: condition }: LoopConfig): PlannedCondition[] {
  return condition === undefined ? [] : [{ condition, path: [...CONFIG, 'exit_condition'], place: 'exit_condition' }]
}

function output({ output_from: from }: { readonly output_from?: OutputFrom }, fallback: OutputStrategy) {
  return { from: selectOutput(from, fallback), path: from === undefined ? CONFIG : [...CONFIG, 'output_from'] }
}
