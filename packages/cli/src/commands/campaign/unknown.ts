import type { Fleet } from '@joust/fleet'
import { suggest } from '@joust/source'
import { tell } from '../../fleet/open.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Io } from '../../terminal/io.ts'

/** Says that there is no campaign of that name. */
export async function unknownCampaign(name: string, fleet: Fleet, io: Io): Promise<number> {
  const near = suggest(name, [...(await fleet.campaigns())])
  tell(io)(
    `there is no campaign ${name}${near === undefined ? '; joust campaign list shows all' : `; did you mean ${near}?`}`,
  )
  return exitCodes.usage
}
