/** The classes of simulated hosts, for attacks on programs other than a model with tools. */
import type { AttackNeeds } from '@joust/arena'
import { appHost } from './app-host.ts'
import { commandHost } from './command-host.ts'
import type { SimulatedHost } from './host.ts'
import { serverHost } from './server.ts'

/** In order of precedence. */
const simulatedHosts: readonly SimulatedHost[] = [commandHost, appHost, serverHost]

/** The class of hosts that an attack needs; undefined for an attack on an agent. */
export function findSimulatedHost(needs: AttackNeeds): SimulatedHost | undefined {
  return simulatedHosts.find((host) => host.fits(needs))
}
