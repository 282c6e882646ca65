import { withoutSecretsOf } from './credentials.ts'
import { exitCodes } from './exit-codes.ts'
import { type Io, tell } from './io.ts'

/** Says what is wrong with a command line. */
export function wrongUsage(faults: readonly string[], io: Io): number {
  for (const fault of faults) tell(io, withoutSecretsOf(io.env, fault))
  return exitCodes.usage
}
