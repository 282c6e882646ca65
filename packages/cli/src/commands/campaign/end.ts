/** `joust campaign cancel` and `delete`. */
import { count } from '@joust/source'
import { withCampaign } from '../../fleet/open.ts'
import type { CampaignDeleteOptions, CampaignOptions } from '../../options/fleet.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Io } from '../../terminal/io.ts'

/** Cancels a campaign; runs in progress are still recorded. */
export function cancel(name: string, { queue }: Pick<CampaignOptions, 'queue'>, io: Io): Promise<number> {
  return withCampaign(name, String(queue), io, async (fleet, before) => {
    if (before.open === 0) {
      io.stdout.write('already finished\n')
      return exitCodes.ok
    }
    const done = await fleet.cancel(name)
    const rest = `${count(before.running, 'run')} in progress will still be recorded`
    io.stdout.write(done ? `cancelled; ${rest}\n` : `already ${before.state}\n`)
    return exitCodes.ok
  })
}

export function remove(name: string, { queue, tracesOlderThan }: CampaignDeleteOptions, io: Io): Promise<number> {
  return withCampaign(name, String(queue), io, async (fleet) => {
    if (tracesOlderThan !== undefined) {
      io.stdout.write(`deleted ${count(await fleet.removeTraces(name, tracesOlderThan), 'trace')}\n`)
      return exitCodes.ok
    }
    await fleet.remove(name)
    io.stdout.write('deleted\n')
    return exitCodes.ok
  })
}
