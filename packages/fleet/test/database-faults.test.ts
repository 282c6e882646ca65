import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/database.ts'
import { openFleet } from '../src/index.ts'
import { campaignOf, type ParticipantProcess, withParticipants } from './participants.ts'
import { withPostgres } from './server.ts'

withPostgres('database faults', (server) => {
  /** Runs `work` with a switch for the read-only mode of the server, which is off again afterwards. */
  const withReadOnly = async (work: (set: (mode: 'on' | 'off') => Promise<void>) => Promise<void>) => {
    const admin = await openDatabase(server().database('read_only_admin'))
    const client = await admin.pool.connect()
    const set = async (mode: 'on' | 'off') => {
      await client.query('set default_transaction_read_only = off')
      await client.query(`alter system set default_transaction_read_only = ${mode}`)
      await client.query('select pg_reload_conf()')
    }
    try {
      await work(set)
    } finally {
      await set('off')
      client.release()
      await admin.close()
    }
  }

  test('after an immediate shutdown of PostgreSQL workers reconnect, and no run is lost or counted twice', async () => {
    await withParticipants(server().database('stopped'), async ({ fleet, startProcess, done }) => {
      await fleet.submit(campaignOf(['a', 'b'], 6))
      const workers = [startProcess({ delayMs: 200 }), startProcess({ delayMs: 200 })]
      await Promise.all(workers.map(({ waitFor }) => waitFor(/^recorded/)))
      server().stop('immediate')
      await workers[0]?.waitFor(/message the database is not responding; retrying/)
      server().start()
      expect(await done()).toMatchObject({ runs: 12, outcomes: { exploited: 12 } })
      expect(returnedRuns(workers)).toEqual([])
    })
  }, 240_000)

  test('while the database is read-only workers wait without repeating runs, and the status is readable', async () => {
    const url = server().database('read_only')
    await withReadOnly(async (setReadOnly) => {
      await withParticipants(url, async ({ fleet, startProcess, done, status }) => {
        await fleet.submit(campaignOf(['a', 'b'], 2))
        const worker = startProcess({ delayMs: 1000, leaseMs: 1500 })
        await worker.waitFor(/^begin/, 2)
        await setReadOnly('on')
        await worker.waitFor(/^end/, 2)
        await worker.waitFor(/message the database is read-only, possibly because of a failover/)
        const other = await openFleet(url)
        expect(await other.status('c')).toMatchObject({ open: 4, state: 'open' })
        expect(await other.watch({ campaign: 'c', target: 'self', file: 'a', arm: 'attack', trial: 1 })).toMatchObject({
          entries: [],
        })
        await other.close()
        // Longer than the lease: a run that is leased again afterwards would run twice.
        const before = Date.now()
        while (Date.now() - before < 3000) expect(await status()).toMatchObject({ open: 4 })
        await setReadOnly('off')
        await worker.waitFor(/message the database is available again/)
        expect(await done()).toMatchObject({ runs: 4, late: 0, outcomes: { exploited: 4 } })
        expect(worker.lines.filter((line) => line.startsWith('begin'))).toHaveLength(4)
        expect(worker.lines.filter((line) => /^message the database/.test(line))).toHaveLength(2)
        expect(returnedRuns([worker])).toEqual([])
      })
    })
  }, 240_000)

  test('a change to a read-only database times out with a message that names the database', async () => {
    const url = server().database('impatient')
    const spec = campaignOf(['a'], 1)
    const fleet = await openFleet(url, { retryMs: 300 })
    try {
      await fleet.submit(spec)
      await withReadOnly(async (setReadOnly) => {
        await setReadOnly('on')
        const timeout = {
          code: 'database_failed',
          message: expect.stringMatching(/impatient is read-only: gave up after 0\.3 s, try again later/),
        }
        await expect(fleet.submit(campaignOf(['a', 'b'], 1))).rejects.toMatchObject(timeout)
        await expect(fleet.cancel('c')).rejects.toMatchObject(timeout)
        await expect(fleet.remove('c')).rejects.toMatchObject(timeout)
      })
      expect(await fleet.submit(spec)).toBe(1)
    } finally {
      await fleet.close()
    }
  }, 120_000)

  test('while the disk of the database is full workers report it, wait and continue', async ({ skip }) => {
    const disk = mkdtempSync(join(tmpdir(), 'joust-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'none', disk], { stdio: 'ignore' })
    } catch {
      console.warn('SKIPPED: full disk: cannot mount a tmpfs, so this is NOT tested')
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

  /** Runs the test with a database on the small disk. */
  const onDisk = async (disk: string) => {
    const url = server().database('postgres_home')
    const admin = await openDatabase(url)
    await admin.pool.query(`create tablespace small location '${disk}'`)
    await admin.pool.query('create database full_disk tablespace small')
    await admin.close()
    await withParticipants(url.replace('postgres_home', 'full_disk'), async ({ fleet, startProcess, done, status }) => {
      // A trace that does not fit on any page, so its result cannot be recorded.
      await fleet.submit(campaignOf(['a', 'b'], 2, { text: randomBytes(60_000).toString('base64') }))
      const worker = startProcess({ delayMs: 1500, leaseMs: 60_000 })
      await worker.waitFor(/^begin/, 2)
      fill(join(disk, 'filler'))
      await worker.waitFor(/^end/, 2)
      await worker.waitFor(/message the database disk is full: free some space/)
      expect(await status()).toMatchObject({ open: 4, running: 2 })
      rmSync(join(disk, 'filler'))
      await worker.waitFor(/message the database is available again/)
      expect(await done()).toMatchObject({ runs: 4, late: 0, retried: 0, outcomes: { exploited: 4 } })
      // Runs that finished while the disk was full are recorded once there is space.
      expect(returnedRuns([worker])).toEqual([])
      expect(worker.lines.filter((line) => line.startsWith('begin'))).toHaveLength(4)
    })
  }
})

/** Finished runs that were returned to the queue; a waiting worker keeps them instead. */
function returnedRuns(workers: readonly ParticipantProcess[]): readonly string[] {
  return workers.flatMap(({ lines }) => lines.filter((line) => line.includes('returned to the queue')))
}

/** Writes until the disk is full. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const piece of [64 * 1024, 512]) while (canWrite(file, new Uint8Array(piece)));
  } finally {
    closeSync(file)
  }
}

function canWrite(file: number, bytes: Uint8Array): boolean {
  try {
    return writeSync(file, bytes) === bytes.length
  } catch {
    return false
  }
}
