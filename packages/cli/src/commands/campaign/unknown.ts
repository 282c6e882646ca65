import type { Fleet } from '@joust/fleet'
import { unknownWord } from '../../options/unknown-word.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { type Io, tell } from '../../terminal/io.ts'

/** Says that there is no campaign with that name. */
export async function unknownCampaign(name: string, fleet: Fleet, io: Io): Promise<number> {
  const known = [...(await fleet.campaigns())]
  tell(io, unknownWord(`there is no campaign ${name}`, name, known, 'joust campaign list shows all'))
  return exitCodes.usage
}
