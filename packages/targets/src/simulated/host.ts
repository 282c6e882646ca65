/** A class of simulated hosts: programs that an attack targets, each in a vulnerable and a safe version. */
import type { AttackNeeds, Target } from '@joust/arena'

/** The two versions of a host: vulnerable or safe. */
export type Disposition = 'credulous' | 'cautious'

/** A class of hosts. */
export interface SimulatedHost {
  /** The class, as a noun. */
  readonly name: string
  /** True for an attack that needs a host of this class. */
  fits(needs: AttackNeeds): boolean
  /** A program that the host needs and this machine lacks. @default none */
  missing?(): string | undefined
  /** Creates a host as a target. It contacts only the actors of the run. */
  create(kind: Disposition): Target
}
