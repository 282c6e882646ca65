/** `agf.conditional`: the first route whose condition holds, else the default. */
import type { ConditionalConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { conditionHolds } from '../mapping/conditions.ts'
import { sourcesOf } from '../mapping/step-input.ts'
import { RunFailure } from '../model/errors.ts'
import { runStep } from './sequential.ts'

/** Runs the one sub-agent that is chosen; its output is the result. */
export async function runConditional(call: PolicyCall<ConditionalConfig>): Promise<Value> {
  const { routes, default_agent } = call.config
  const sources = sourcesOf(call.agent, call.input, [])
  const chosen = routes.findIndex((route) => conditionHolds(route.when, sources, call.context))
  const route = routes[chosen] ?? (default_agent === undefined ? undefined : { agent: default_agent })
  if (route === undefined) {
    const message = `none of the ${routes.length} routes matches the input, and there is no default_agent`
    throw new RunFailure({ code: 'no_route_matched', message, agent: call.context.path })
  }
  const { output } = await runStep(call, route, { step: chosen < 0 ? routes.length : chosen }, [])
  return output
}
