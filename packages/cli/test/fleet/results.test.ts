/** `joust campaign results` where rows of the database are wrong or missing: the rest is shown and exported. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../fleet/src/database.ts'
import { fleetLimits } from '../../../fleet/src/limits.ts'
import { withPostgres } from '../../../fleet/test/server.ts'
import { PROMPT, SERVER } from '../run/documents.ts'
import { folder } from '../world.ts'
import { campaignAt } from './campaign.ts'

const FILES = ['bomb', 'garbled', 'gone', 'good', 'odd', 'orphan']

withPostgres('rows that are wrong or missing', (server) => {
  test('are reported one by one, the rest is exported, and the exit code shows it', async () => {
    const documents = FILES.map((name, index) => [`${name}.oatf.yaml`, SERVER.replace('TEST-001', `TEST-10${index}`)])
    const cwd = folder(Object.fromEntries(documents))
    const { url, submit, work, look } = campaignAt(server().database('rows'), cwd)
    const run = ['.', '--model', 'sim/silent', '--prompt', PROMPT, '--grace', '0', '--observe', '0', '--trials', '2']
    expect(await submit(run)).toMatchObject({ code: 0 })
    await work()
    expect((await look('results', '--out', 'whole')).code).toBe(0)
    const database = await openDatabase(url)
    const change = (file: string, what: string, values: readonly unknown[] = []) =>
      database.pool.query(`${what} where file = '${file}.oatf.yaml' and trial = 1`, [...values])
    await change('bomb', 'update joust.run set trace = $1', [gzipSync(Buffer.alloc(fleetLimits.traceBytes + 1))])
    await change('garbled', `update joust.run set trace = '\\x00'`)
    await change('gone', 'delete from joust.run')
    await change('odd', `update joust.run set outcome = 'resisted', result = '{"outcome":"resisted"}'`)
    await database.pool.query(`delete from joust.attack where file = 'orphan.oatf.yaml'`)
    await database.close()
    const { code, stderr } = await look('results', '--out', 'out')
    expect(code).toBe(10)
    const lines = stderr.split('\n').filter((line) => line.includes('trial'))
    expect(lines).toHaveLength(6)
    for (const [name, fault] of [
      ['bomb', 'invalid trace in the database'],
      ['garbled', 'invalid trace in the database'],
      ['gone', 'run missing from the database'],
      ['odd', 'invalid result in the database'],
      ['orphan', 'attack missing from the database'],
    ])
      expect(stderr).toMatch(new RegExp(`${name}\\.oatf\\.yaml, trial 1: ${fault}`))
    const [{ attacks }] = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8')).targets
    const trials = (name: string) => attacks.find(({ file }: { file: string }) => file.startsWith(name)).trials
    expect(attacks).toHaveLength(FILES.length - 1)
    expect(trials('good')).toMatchObject([{ outcome: trials('bomb')[0].outcome }, {}])
    expect(trials('bomb').map(({ trace }: { trace: string }) => trace !== '')).toEqual([false, true])
    for (const name of ['gone', 'odd'])
      expect(trials(name)[0]).toMatchObject({
        trial: 1,
        outcome: 'inconclusive',
        reasons: [expect.stringMatching(/database/)],
      })
    const status = await look('status')
    expect(status.code).toBe(10)
    // Two trials of each of the five documents that are still there; the row of `odd` says that it resisted.
    expect(status.stdout).toContain('10/10 · 10 inconclusive')
    expect(status.stderr).toMatch(/odd\.oatf\.yaml, trial 1: invalid result in the database/)
    for (const { trace } of trials('good')) expect(existsSync(join(cwd, 'out', trace))).toBe(true)
  }, 180_000)

  test('are found where another target has them, and in the table', async () => {
    const cwd = folder({
      'joust.yaml': `attacks: "*.oatf.yaml"\ntargets: { one: { model: sim/silent }, two: { model: sim/silent } }\ngrace: "0"\nobserve: "0"\n`,
      'a.oatf.yaml': SERVER,
      'b.oatf.yaml': SERVER.replace('TEST-001', 'TEST-002'),
    })
    const { url, submit, work, look } = campaignAt(server().database('targets'), cwd)
    expect(await submit(['--prompt', PROMPT])).toMatchObject({ code: 0 })
    await work()
    expect(await look('results')).toMatchObject({ code: 0, stderr: '' })
    expect((await look('results', '--out', 'whole')).code).toBe(0)
    const database = await openDatabase(url)
    await database.pool.query(`delete from joust.run where target like '%two%' and file = 'a.oatf.yaml'`)
    const missing = await look('results', '--out', 'missing')
    expect(missing.code).toBe(10)
    expect(missing.stderr).toMatch(/two.*, a\.oatf\.yaml, trial 1: run missing from the database/)
    await database.pool.query(`update joust.run set outcome = 'exploited' where file = 'b.oatf.yaml'`)
    await database.close()
    const table = await look('results', '--outcome', 'inconclusive')
    expect(table.code).toBe(10)
    const contradiction = 'b.oatf.yaml, trial 1: the outcome in the database'
    expect(table.stderr.split(contradiction)).toHaveLength(3)
    expect(table.stdout).not.toContain('exploited')
  }, 180_000)
})
