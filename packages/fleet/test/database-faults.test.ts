import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/database.ts'
import { openFleet } from '../src/index.ts'
import { campaignOf, type Member, withCrew } from './crew.ts'
import { withPostgres } from './server.ts'

withPostgres('faults of the database', (server) => {
  test('PostgreSQL is stopped hard and started again: workers wait, nothing is lost or counted twice', async () => {
    await withCrew(server().database('stopped'), async ({ fleet, start, done }) => {
      await fleet.submit(campaignOf(['a', 'b'], 6))
      const workers = [start({ delayMs: 200 }), start({ delayMs: 200 })]
      await Promise.all(workers.map(({ said }) => said(/^recorded/)))
      server().stop('immediate')
      await workers[0]?.said(/told the database does not answer; this continues by itself when it does/)
      server().start()
      expect(await done()).toMatchObject({ runs: 12, outcomes: { exploited: 12 } })
      expect(givenBack(workers)).toEqual([])
    })
  }, 240_000)

  test('the database becomes read-only, as in a failover: workers wait and repeat nothing, and its status can be read', async () => {
    const url = server().database('read_only')
    const admin = await openDatabase(server().database('read_only_admin'))
    const client = await admin.pool.connect()
    const setReadOnly = async (mode: 'on' | 'off') => {
      await client.query('set default_transaction_read_only = off')
      await client.query(`alter system set default_transaction_read_only = ${mode}`)
      await client.query('select pg_reload_conf()')
    }
    try {
      await withCrew(url, async ({ fleet, start, done, status }) => {
        await fleet.submit(campaignOf(['a', 'b'], 2))
        const worker = start({ delayMs: 1000, leaseMs: 1500 })
        await worker.said(/^begin/, 2)
        await setReadOnly('on')
        await worker.said(/^end/, 2)
        await worker.said(/told the database is read-only, perhaps during a failover/)
        const other = await openFleet(url)
        expect(await other.status('c')).toMatchObject({ open: 4, state: 'open' })
        expect(await other.watch({ campaign: 'c', target: 'self', file: 'a', trial: 1 })).toMatchObject({ entries: [] })
        await other.close()
        // Longer than the lease: whatever is handed out again afterwards would be done twice.
        const before = Date.now()
        while (Date.now() - before < 3000) expect(await status()).toMatchObject({ open: 4 })
        await setReadOnly('off')
        await worker.said(/told the database answers again/)
        expect(await done()).toMatchObject({ runs: 4, late: 0, outcomes: { exploited: 4 } })
        expect(worker.lines.filter((line) => line.startsWith('begin'))).toHaveLength(4)
        expect(worker.lines.filter((line) => /^told the database/.test(line))).toHaveLength(2)
        expect(givenBack([worker])).toEqual([])
      })
    } finally {
      await setReadOnly('off')
      client.release()
      await admin.close()
    }
  }, 240_000)

  test('the disk of the database is full: workers say so, wait, and go on', async ({ skip }) => {
    const disk = mkdtempSync(join(tmpdir(), 'joust-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'none', disk], { stdio: 'ignore' })
    } catch {
      console.warn('SKIPPED: a full disk: a small disk cannot be mounted here, so this is NOT tested')
      rmSync(disk, { recursive: true })
      skip()
    }
    try {
      execFileSync('chown', ['postgres', disk])
      await onDisk(disk)
    } finally {
      execFileSync('umount', ['-l', disk])
    }
  }, 240_000)

  /** A database of its own on the small disk. */
  const onDisk = async (disk: string) => {
    const url = server().database('postgres_home')
    const admin = await openDatabase(url)
    await admin.pool.query(`create tablespace small location '${disk}'`)
    await admin.pool.query('create database full_disk tablespace small')
    await admin.close()
    await withCrew(url.replace('postgres_home', 'full_disk'), async ({ fleet, start, done, status }) => {
      // A trace that does not fit on any page, so its result cannot be entered.
      await fleet.submit(campaignOf(['a', 'b'], 2, { said: randomBytes(60_000).toString('base64') }))
      const worker = start({ delayMs: 1500, leaseMs: 60_000 })
      await worker.said(/^begin/, 2)
      fill(join(disk, 'filler'))
      await worker.said(/^end/, 2)
      await worker.said(/told the disk of the database is full: free some space there/)
      expect(await status()).toMatchObject({ open: 4, running: 2 })
      rmSync(join(disk, 'filler'))
      await worker.said(/told the database answers again/)
      expect(await done()).toMatchObject({ runs: 4, late: 0, retried: 0, outcomes: { exploited: 4 } })
      // What was finished while the disk was full was kept, and entered once there was room.
      expect(givenBack([worker])).toEqual([])
      expect(worker.lines.filter((line) => line.startsWith('begin'))).toHaveLength(4)
    })
  }
})

/** Runs that were done and then thrown away; a worker that waits keeps them. */
function givenBack(workers: readonly Member[]): readonly string[] {
  return workers.flatMap(({ lines }) => lines.filter((line) => line.includes('goes back to the queue')))
}

/** Writes until there is no room. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const piece of [64 * 1024, 512]) while (takes(file, new Uint8Array(piece)));
  } finally {
    closeSync(file)
  }
}

function takes(file: number, bytes: Uint8Array): boolean {
  try {
    return writeSync(file, bytes) === bytes.length
  } catch {
    return false
  }
}
