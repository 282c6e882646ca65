import { lostTrial, noOutcomes } from '@joust/arena'
import { afterAll, expect, test } from 'vitest'
import { enterCampaign } from '../src/campaigns.ts'
import { type Database, openDatabase } from '../src/database.ts'
import { createPostgresLedger } from '../src/ledger.ts'
import { withPostgres } from './server.ts'

withPostgres('what agents say', (server) => {
  let database: Database | undefined
  afterAll(() => database?.close())

  test('is entered whatever it holds: jsonb knows neither NUL nor half a surrogate pair', async () => {
    database = await openDatabase(server().database('said'))
    const about = { kind: 'model', name: 'x' } as const
    const targets = [{ name: 't', about, setup: {} }]
    await enterCampaign(database, { name: 'c', plan: { trials: 1 }, targets, attacks: [] })
    const ledger = createPostgresLedger(database, 'c')
    const run = { campaign: 'c', target: 't', file: 'f', trial: 1, fingerprint: 'x' }
    await ledger.submit([run])
    const said = 'a\u0000\u0000b \ud800 \\u0000 😀'
    const trial = { ...lostTrial(1, 'lost'), answer: said } as ReturnType<typeof lostTrial>
    expect(await ledger.finish(run, trial)).toBe('recorded')
    for await (const entry of ledger.results()) expect(entry.trial.answer).toBe('a\ufffd\ufffdb \ufffd \\u0000 😀')
    expect((await ledger.progress()).open).toBe(0)
    // As a newer version may have entered it.
    await database.query("update joust.run set outcome = 'unheard_of'", [])
    expect(await ledger.progress()).toEqual({ runs: 1, open: 0, outcomes: noOutcomes(), late: 0 })
  })
})
