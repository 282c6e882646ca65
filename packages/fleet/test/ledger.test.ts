import { lostTrial, noOutcomes } from '@joust/trials'
import { afterAll, expect, test } from 'vitest'
import { insertCampaign } from '../src/campaigns.ts'
import { type Database, openDatabase } from '../src/database.ts'
import { createPostgresLedger } from '../src/ledger.ts'
import { withPostgres } from './server.ts'

withPostgres('results in jsonb', (server) => {
  let database: Database | undefined
  afterAll(() => database?.close())

  test('are recorded with NUL and lone surrogates replaced', async () => {
    database = await openDatabase(server().database('jsonb'))
    const about = { kind: 'model', name: 'x' } as const
    const targets = [{ name: 't', about, setup: {} }]
    await insertCampaign(database, { name: 'c', plan: { trials: 1 }, targets, attacks: [] })
    const ledger = createPostgresLedger(database, 'c')
    const run = { campaign: 'c', target: 't', file: 'f', arm: 'attack', trial: 1, fingerprint: 'x' } as const
    await ledger.submit([run])
    const answer = 'a\u0000\u0000b \ud800 \\u0000 😀'
    const trial = { ...lostTrial(1, 'lost'), answer } as ReturnType<typeof lostTrial>
    expect(await ledger.finish(run, trial)).toBe('recorded')
    for await (const entry of ledger.results()) expect(entry.trial.answer).toBe('a\ufffd\ufffdb \ufffd \\u0000 😀')
    expect((await ledger.progress()).open).toBe(0)
    // An outcome of a newer version.
    const newer = `update joust.run set outcome = 'unheard_of', result = '{"outcome":"unheard_of"}'`
    await database.query(newer, [])
    expect(await ledger.progress()).toEqual({ runs: 1, open: 0, outcomes: noOutcomes(), late: 0 })
  })
})
