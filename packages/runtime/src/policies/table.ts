/** The runner of each policy, by policy id. */
import { isStandardPolicyId, type PolicyConfigs, type StandardPolicyId } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall, PolicyRunner } from '../context/policy-call.ts'
import { RunFailure } from '../model/errors.ts'
import type { RuntimeOptions } from '../model/options.ts'
import { runBatch } from './batch.ts'
import { runConditional } from './conditional.ts'
import { runLoop } from './loop.ts'
import { runParallel } from './parallel.ts'
import { runReact } from './react.ts'
import { runSequential } from './sequential.ts'
import { runVendor, vendorPolicy } from './vendor.ts'

export const policies: { readonly [Id in StandardPolicyId]: PolicyRunner<PolicyConfigs[Id]> } = {
  'agf.react': runReact,
  'agf.sequential': runSequential,
  'agf.parallel': runParallel,
  'agf.loop': runLoop,
  'agf.batch': runBatch,
  'agf.conditional': runConditional,
}

export function isRunnable(id: string, options: RuntimeOptions): boolean {
  return isStandardPolicyId(id) || vendorPolicy(id, options) !== undefined
}

export async function runPolicy(call: PolicyCall): Promise<Value> {
  const { id } = call.agent.document.execution_policy
  if (isStandardPolicyId(id)) {
    const run: PolicyRunner<never> = policies[id]
    // The document schema checks the configuration by policy id.
    return run(call as PolicyCall<never>)
  }
  const vendor = vendorPolicy(id, call.context.options)
  if (vendor !== undefined) return runVendor(vendor, call)
  const message = `unknown policy ${JSON.stringify(id)}`
  throw new RunFailure({ code: 'unsupported_policy', message, agent: call.context.path })
}
