/** The database that a command names. */
import { type CampaignStatus, type Fleet, FleetError } from '@joust/fleet'
import { unknownWord } from '../options/unknown-word.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

/** Does some work with the campaigns of a database; whatever is wrong with it is printed, and becomes the exit code. */
export async function withFleet(url: string, io: Io, work: (fleet: Fleet) => Promise<number>): Promise<number> {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    return wrongUsage(['--queue expects postgres://HOST:PORT/DATABASE'], io)
  const { isInTheClear, openFleet, placeOf } = await import('@joust/fleet')
  if (isInTheClear(url)) tell(io, `${placeOf(url)} is reached in the clear; ?sslmode=verify-full at the end encrypts`)
  let fleet: Fleet | undefined
  try {
    fleet = await openFleet(url, { tell: (message) => tell(io, message) })
    return await work(fleet)
  } catch (thrown) {
    if (!(thrown instanceof FleetError)) throw thrown
    return giveUp(thrown.message, io, thrown.code === 'campaign_unlike' ? exitCodes.usage : exitCodes.failure)
  } finally {
    await fleet?.close()
  }
}

/** The same, with one campaign; that there is none with this name is wrong usage. */
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

/** Says that there is no campaign with that name. */
export async function unknownCampaign(name: string, fleet: Fleet, io: Io): Promise<number> {
  const known = await fleet.campaigns()
  return wrongUsage([unknownWord(`there is no campaign ${name}`, name, known, 'joust campaign list shows all')], io)
}

/** Prints what is wrong with rows of the database as it is found, the first few of it; the rest is exported. */
export function createFaults(io: Io) {
  let found = 0
  return {
    add(fault: string): void {
      found += 1
      if (found <= commandLimits.rowFaults) giveUp(fault, io)
      else if (found === commandLimits.rowFaults + 1) giveUp('there is more that is wrong in the database', io)
    },
    code: () => (found === 0 ? exitCodes.ok : exitCodes.failure),
  }
}
