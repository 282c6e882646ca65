import type { Path } from '@joust/source'
import type { OutputFrom, OutputStrategy, PolicyStep } from '../model/policy.ts'
import { selectOutput } from './output-from.ts'
import { configPath, type Delegation, type PolicyPlan } from './plan.ts'

/** The delegations of a list of steps. */
export function stepDelegations(steps: readonly PolicyStep[], key: 'steps' | 'agents'): Delegation[] {
  return steps.map((step, index) => delegation([...configPath, key, index], 'agent', step.agent, step.input_mapping))
}

/** One delegation: the alias under a key, the mapping beside it. */
export function delegation(
  path: Path,
  key: string,
  alias: string,
  mapping: PolicyStep['input_mapping'] | undefined,
): Delegation {
  const places = { alias, path: [...path, key], mappingPath: [...path, 'input_mapping'] }
  return mapping === undefined ? places : { ...places, mapping }
}

/** `output_from` with its default, and where it stands or would stand. */
export function plannedOutput(
  from: OutputFrom | undefined,
  fallback: OutputStrategy,
): Required<Pick<PolicyPlan, 'output'>> {
  const path = from === undefined ? configPath : [...configPath, 'output_from']
  return { output: { from: selectOutput(from, fallback), path } }
}
