/** The standard policies: how each one's configuration becomes a plan. */
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

/** The plan of a policy; undefined for one that is not standard, whose configuration is its vendor's business. */
export function planOf(policy: ExecutionPolicy): PolicyPlan | undefined {
  const standard = standardPolicy(policy)
  if (standard === undefined) return undefined
  return { policy: standard.id, conditions: [], ...stepsOf(standard) }
}

type Steps = Omit<PolicyPlan, 'policy' | 'conditions'> & Partial<Pick<PolicyPlan, 'conditions'>>

function stepsOf({ id, config }: NonNullable<ReturnType<typeof standardPolicy>>): Steps {
  switch (id) {
    case 'agf.react':
      // The model decides what runs, so nothing is planned.
      return { order: 'choice', delegations: [] }
    case 'agf.sequential':
      return { order: 'sequence', delegations: delegations(config.steps, 'steps'), output: output(config, 'last') }
    case 'agf.parallel':
      return { order: 'together', delegations: delegations(config.agents, 'agents'), output: output(config, 'merge') }
    case 'agf.loop':
      // Run anew in every iteration; nothing is carried from one iteration to the next (OPEN-30).
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

/** Where the configuration of a policy is. */
const CONFIG: Path = ['execution_policy', 'config']

function delegations(steps: readonly PolicyStep[], key: 'steps' | 'agents' | 'routes'): Delegation[] {
  return steps.map((step, index) => delegation([...CONFIG, key, index], 'agent', step.agent, step.input_mapping))
}

/** One delegation: the alias under a key, the mapping beside it. */
function delegation(path: Path, key: string, alias: string, mapping: InputMapping | undefined): Delegation {
  const places = { alias, path: [...path, key], mappingPath: [...path, 'input_mapping'] }
  return mapping === undefined ? places : { ...places, mapping }
}

/** It has no mapping of its own, so it gets the parent's whole input (OPEN-23). */
function defaultRoute({ default_agent: alias }: ConditionalConfig): Delegation[] {
  return alias === undefined ? [] : [delegation(CONFIG, 'default_agent', alias, undefined)]
}

function exitCondition({ exit_condition: condition }: LoopConfig): PlannedCondition[] {
  return condition === undefined ? [] : [{ condition, path: [...CONFIG, 'exit_condition'], place: 'exit_condition' }]
}

/** `output_from` with its default, and where it is or would be. */
function output({ output_from: from }: { readonly output_from?: OutputFrom }, fallback: OutputStrategy) {
  return { from: selectOutput(from, fallback), path: from === undefined ? CONFIG : [...CONFIG, 'output_from'] }
}
