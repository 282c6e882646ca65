import { afterAll } from 'vitest'
import { describeLedger, describeQueue } from '../../arena/test/suite/contract.ts'
import { enterCampaign } from '../src/campaigns.ts'
import { type Database, openDatabase } from '../src/database.ts'
import { createPostgresLedger } from '../src/ledger.ts'
import { readPending } from '../src/pending-targets.ts'
import { createFleetQueue } from '../src/queue.ts'
import { withPostgres } from './server.ts'

withPostgres('books and queue in PostgreSQL', (server) => {
  let opened: Database | undefined
  const database = async () => {
    opened ??= await openDatabase(server().database('contract'))
    return opened
  }
  afterAll(() => opened?.close())
  const enter = async (campaign: string) => {
    const about = { kind: 'model', name: 'x' } as const
    const targets = ['model x', 'other'].map((name) => ({ name, about, setup: {} }))
    await enterCampaign(await database(), { name: campaign, plan: { trials: 3 }, targets, attacks: [] })
    return createPostgresLedger(await database(), campaign)
  }
  describeLedger(enter)
  describeQueue(async (campaign) => {
    const ledger = await enter(campaign)
    const pending = async () =>
      (await readPending(await database())).targets.filter((target) => target.campaign === campaign)
    return { ledger, queue: await createFleetQueue(await database(), { pending }) }
  })
})
