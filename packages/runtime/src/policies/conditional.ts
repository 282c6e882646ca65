/** `agf.conditional`: runs the first route whose condition matches, or else the default agent (decision 0019, R-20). */
import type { ConditionalConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { conditionHolds } from '../mapping/conditions.ts'
import { sourcesOf } from '../mapping/step-input.ts'
import { RunFailure } from '../model/errors.ts'
import { runStep } from './sequential.ts'

export async function runConditional(call: PolicyCall<ConditionalConfig>): Promise<Value> {
  const { routes, default_agent } = call.config
  const sources = sourcesOf(call.agent, call.input, [])
  const index = routes.findIndex((route) => conditionHolds(route.when, sources, call.context))
  const route = routes[index] ?? (default_agent === undefined ? undefined : { agent: default_agent })
  if (route === undefined) {
    const message = `none of ${routes.length} routes matches the input, and default_agent is missing`
    throw new RunFailure({ code: 'no_route_matched', message, agent: call.context.path })
  }
  const { output } = await runStep(call, route, { step: index < 0 ? routes.length : index }, [])
  return output
}
