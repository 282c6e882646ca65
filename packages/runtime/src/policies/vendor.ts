/** Vendor policies (`x-…`): functions registered by the host. */
import { abortable } from '@joust/io'
import { cloneValue, type Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { RunFailure } from '../model/errors.ts'
import { toValue } from '../model/json-value.ts'
import type { RuntimeOptions, VendorPolicy } from '../model/options.ts'

/** Returns the function registered for an id. Ids must begin with `x-`. */
export function vendorPolicy(id: string, options: RuntimeOptions): VendorPolicy | undefined {
  const { policies = {} } = options
  return id.startsWith('x-') && Object.hasOwn(policies, id) ? policies[id] : undefined
}

/** Runs a vendor policy. The policy gets only the agent, the input and `delegate`. */
export async function runVendor(policy: VendorPolicy, call: PolicyCall): Promise<Value> {
  const { agent, config, input, context } = call
  const delegate = (alias: string, childInput: unknown) => delegateJson(alias, childInput, call)
  // A copy, because approval conditions use the input later.
  const own = cloneValue(input)
  const output = await abortable(context.signal, () =>
    policy({ agent, config, input: own, signal: context.signal, delegate }),
  )
  const value = toValue(output)
  if (value.ok) return value.value
  const message = `policy ${agent.document.execution_policy.id} did not return valid JSON: ${value.error}`
  throw new RunFailure({ code: 'output_validation', message, agent: context.path })
}

/** Delegates with JSON values. Not `async`: an unawaited rejection would end the process. */
function delegateJson(alias: string, childInput: unknown, { delegate, context }: PolicyCall): Promise<Value> {
  const input = toValue(childInput)
  if (input.ok) return delegate(alias, input.value)
  const message = `the input for ${alias} is not valid JSON: ${input.error}`
  const rejection = Promise.reject(
    new RunFailure({ code: 'input_validation', message, agent: [...context.path, alias] }),
  )
  rejection.catch(() => {})
  return rejection
}
