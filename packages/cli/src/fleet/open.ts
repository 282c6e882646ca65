/** Opens the database given with `--queue`. */
import { type CampaignStatus, type Fleet, FleetError } from '@joust/fleet'
import { unknownWord } from '../options/unknown-word.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

export async function withFleet(url: string, io: Io, work: (fleet: Fleet) => Promise<number>): Promise<number> {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    return wrongUsage(['--queue expects postgres://HOST:PORT/DATABASE'], io)
  const { isUnencrypted, openFleet, databaseLabel } = await import('@joust/fleet')
  if (isUnencrypted(url))
    tell(io, `the connection to ${databaseLabel(url)} is not encrypted; add ?sslmode=verify-full to the URL`)
  let fleet: Fleet | undefined
  try {
    fleet = await openFleet(url, { tell: (message) => tell(io, message) })
    return await work(fleet)
  } catch (thrown) {
    if (!(thrown instanceof FleetError)) throw thrown
    return giveUp(thrown.message, io, thrown.code === 'campaign_conflict' ? exitCodes.usage : exitCodes.failure)
  } finally {
    await fleet?.close()
  }
}

/** Calls `work` with the named campaign; an unknown name is a usage error. */
export function withCampaign(
  name: string,
  url: string,
  io: Io,
  work: (fleet: Fleet, status: CampaignStatus) => Promise<number>,
): Promise<number> {
  return withFleet(url, io, async (fleet) => {
    const status = await fleet.status(name)
    return status === undefined ? unknownCampaign(name, fleet, io) : work(fleet, status)
  })
}

export async function unknownCampaign(name: string, fleet: Fleet, io: Io): Promise<number> {
  const campaigns = await fleet.campaigns()
  const hint = 'run joust campaign list for the list'
  return wrongUsage([unknownWord(`unknown campaign ${name}`, name, campaigns, hint)], io)
}

/** Creates a collector that prints the first errors in database rows; valid rows are still exported. */
export function createFaults(io: Io) {
  let errors = 0
  return {
    add(fault: string): void {
      errors += 1
      if (errors <= commandLimits.rowFaults) giveUp(fault, io)
      else if (errors === commandLimits.rowFaults + 1) giveUp('the database has more errors', io)
    },
    code: () => (errors === 0 ? exitCodes.ok : exitCodes.failure),
  }
}
