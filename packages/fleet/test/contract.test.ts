import { afterAll } from 'vitest'
import { describeLedger, describeQueue } from '../../trials/test/contract.ts'
import { insertCampaign } from '../src/campaigns.ts'
import { type Database, openDatabase } from '../src/database.ts'
import { createPostgresLedger } from '../src/ledger.ts'
import { readPending } from '../src/pending-targets.ts'
import { createFleetQueue } from '../src/queue.ts'
import { withPostgres } from './server.ts'

withPostgres('ledger and queue in PostgreSQL', (server) => {
  let connection: Database | undefined
  const database = async () => {
    connection ??= await openDatabase(server().database('contract'))
    return connection
  }
  afterAll(() => connection?.close())
  const createLedger = async (campaign: string) => {
    const about = { kind: 'model', name: 'x' } as const
    const targets = ['model x', 'other'].map((name) => ({ name, about, setup: {} }))
    await insertCampaign(await database(), { name: campaign, plan: { trials: 3 }, targets, attacks: [] })
    return createPostgresLedger(await database(), campaign)
  }
  describeLedger(createLedger)
  describeQueue(async (campaign) => {
    const ledger = await createLedger(campaign)
    const pending = async () =>
      (await readPending(await database())).targets.filter((target) => target.campaign === campaign)
    return { ledger, queue: await createFleetQueue(await database(), { pending }) }
  })
})
