/** Policies of vendors (`x-…`): functions that the host registers. */
import { abortable } from '@joust/io'
import { cloneValue, type Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { RunFailure } from '../model/errors.ts'
import { toValue } from '../model/json-value.ts'
import type { RuntimeOptions, VendorPolicy } from '../model/options.ts'

/** The function registered for an id; only ids with the vendors' prefix can be registered. */
export function vendorPolicy(id: string, options: RuntimeOptions): VendorPolicy | undefined {
  const { policies = {} } = options
  return id.startsWith('x-') && Object.hasOwn(policies, id) ? policies[id] : undefined
}

/** Runs a vendor's policy. It sees the agent, its input and a way to delegate, nothing else. */
export async function runVendor(policy: VendorPolicy, call: PolicyCall): Promise<Value> {
  const { agent, config, input, context } = call
  const delegate = (alias: string, given: unknown) => delegateJson(alias, given, call)
  // A copy: conditions of approvals look at the input later.
  const own = cloneValue(input)
  const output = await abortable(context.signal, () =>
    policy({ agent, config, input: own, signal: context.signal, delegate }),
  )
  const value = toValue(output)
  if (value.ok) return value.value
  const message = `the policy ${agent.document.execution_policy.id} did not return JSON: ${value.error}`
  throw new RunFailure({ code: 'output_validation', message, agent: context.path })
}

/** Not `async`, so that every rejection has a listener: a delegation that nobody awaits must not end the process. */
function delegateJson(alias: string, given: unknown, { delegate, context }: PolicyCall): Promise<Value> {
  const input = toValue(given)
  if (input.ok) return delegate(alias, input.value)
  const message = `the input for ${alias} is not JSON: ${input.error}`
  const refused = Promise.reject(new RunFailure({ code: 'input_validation', message, agent: [...context.path, alias] }))
  refused.catch(() => {})
  return refused
}
