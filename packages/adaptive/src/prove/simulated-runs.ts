/** Runs against a credulous, a cautious and an absent simulated agent, or against simulated hosts of these kinds. */

import type { AttackOptions } from '@joust/arena'
import { needsOf } from '@joust/arena'
import { type LoadedAttack, roleOf } from '@joust/oatf'
import { endpointTarget, findSimulatedHost } from '@joust/targets'
import { modelTarget } from '@joust/targets/agent'
import type { SuiteRun } from '@joust/trials'
import { adaptiveLimits } from '../limits.ts'

/** The reason for skipping the preflight, as shown to the user. */
export const SIMULATED = 'agents are simulated'

/** Creates the options of a run against each simulated agent. */
export const simulatedRuns = {
  credulous: against('credulous'),
  cautious: against('cautious'),
  absent: ({ attack }) => withoutAgent(attack),
} as const satisfies Readonly<Record<string, (run: SuiteRun) => AttackOptions>>

function against(kind: 'credulous' | 'cautious') {
  return ({ attack }: SuiteRun): AttackOptions => ({
    target: findSimulatedHost(needsOf(attack))?.create(kind) ?? modelTarget({ model: `sim/${kind}`, inProcess: true }),
    limits: { graceMs: 0, observeMs: adaptiveLimits.observeMs },
  })
}

/** Creates options for the absent agent: servers time out, and clients connect to a closed port. */
function withoutAgent({ document }: LoadedAttack): AttackOptions {
  const limits = { graceMs: 0, phaseMs: adaptiveLimits.absentMs, runMs: 10 * adaptiveLimits.absentMs, retries: 0 }
  const hasClients = document.attack.execution.actors.some(({ mode }) => roleOf(mode) === 'client')
  if (!hasClients) return { limits }
  const closed = { url: 'http://127.0.0.1:9/' }
  const { start } = endpointTarget({ ag_ui: closed, a2a: closed, mcp: closed })
  return { limits, target: { name: 'no agent', start } }
}
