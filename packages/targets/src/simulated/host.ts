/** Simulated hosts: programs under attack, each in a vulnerable and a safe version. */
import type { AttackNeeds, Target } from '@joust/arena'

/** The vulnerable or the safe version of a host. */
export type Disposition = 'credulous' | 'cautious'

/** A kind of simulated host. */
export interface SimulatedHost {
  /** The kind of host, as a noun. */
  readonly name: string
  /** True if the attack needs this kind of host. */
  fits(needs: AttackNeeds): boolean
  /** Returns the name of a program that the host needs and this machine lacks. @default none */
  missing?(): string | undefined
  /** Creates a host as a target. The host contacts only actors of the run. */
  create(kind: Disposition): Target
}
