/** A gateway as targets use it. */
import type { ActorNeeds } from '../../model/needs.ts'
import type { TargetSession } from '../../model/target.ts'
import type { GatewaySeat } from './seat.ts'

/** The session of a target whose run has a seat: what keeps the agent from its slots is a failure of the run. */
export function atGateway(seat: GatewaySeat | undefined, session: TargetSession): TargetSession {
  if (seat === undefined) return session
  return { ...session, faults: () => [...(session.faults?.() ?? []), ...seat.faults()] }
}

/** Server actors that an agent with a configuration of its own cannot find, a sentence each. */
export function unknownServers(
  servers: readonly ActorNeeds[],
  knows: (actor: string) => boolean = () => true,
): readonly string[] {
  return servers
    .filter(({ actor }) => !knows(actor))
    .map(({ actor, mode }) => `the agent cannot know where the ${mode} actor ${actor} listens; ${MEND}`)
}

const MEND = 'a gateway gives it fixed addresses'
