import { printable } from '@joust/source'
import { withoutSecretsOf } from './credentials.ts'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'

/** Says what is wrong with a command line. */
export function wrongUsage(faults: readonly string[], io: Io): number {
  for (const fault of faults) io.stderr.write(`joust: ${printable(withoutSecretsOf(io.env, fault))}\n`)
  return exitCodes.usage
}
