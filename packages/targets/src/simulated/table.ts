/** The kinds of simulated hosts, for attacks on programs other than a model with tools. */
import type { AttackNeeds } from '@joust/arena'
import { a2aClient } from './a2a-client.ts'
import { a2aServer } from './a2a-server.ts'
import { agUiAgent } from './ag-ui-agent.ts'
import { appHost } from './app-host.ts'
import { commandHost } from './command-host.ts'
import { gateway } from './gateway.ts'
import type { SimulatedHost } from './host.ts'
import { mcpClient } from './mcp-client.ts'
import { serverHost } from './server.ts'

/** The kinds in order of precedence. */
const simulatedHosts: readonly SimulatedHost[] = [
  commandHost,
  appHost,
  gateway,
  agUiAgent,
  a2aServer,
  a2aClient,
  mcpClient,
  serverHost,
]

/** Returns the kind of host that an attack needs; undefined if the attack is on an agent. */
export function findSimulatedHost(needs: AttackNeeds): SimulatedHost | undefined {
  return simulatedHosts.find((host) => host.fits(needs))
}
