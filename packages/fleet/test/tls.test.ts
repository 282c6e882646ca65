/** TLS options in the URL, against a PostgreSQL server with a self-signed certificate. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/database.ts'
import { openFleet } from '../src/index.ts'
import { campaignOf } from './participants.ts'
import { withPostgres } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'joust-tls-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Creates a self-signed certificate for `name`. */
function certificate(file: string, name: string): { readonly certificate: string; readonly key: string } {
  const paths = { certificate: join(folder, `${file}.crt`), key: join(folder, `${file}.key`) }
  const out = ['-keyout', paths.key, '-out', paths.certificate]
  const about = ['-subj', `/CN=${file}`, '-addext', `subjectAltName=${name}`, '-days', '2']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...kind, ...out, ...about], { stdio: 'ignore' })
  return paths
}

withPostgres('TLS options in the URL', (server) => {
  const right = certificate('right', 'IP:127.0.0.1')
  const wrong = certificate('wrong', 'IP:127.0.0.1')
  const elsewhere = certificate('elsewhere', 'DNS:db.example')
  const url = (query: string) => `${server().database('secure')}?${query}`
  const verified = ({ certificate: file }: typeof right) => url(`sslmode=verify-full&sslrootcert=${file}`)

  test('a server without TLS is rejected', async () => {
    await expect(openFleet(verified(right))).rejects.toThrow(
      /^cannot use the database 127.*: the server does not support TLS: set ssl = on/,
    )
  })

  test('ledger and queue use a verified connection', async () => {
    server().secure(right)
    const fleet = await openFleet(verified(right))
    expect(await fleet.submit(campaignOf(['a'], 2))).toBe(2)
    await fleet.close()
    const database = await openDatabase(verified(right))
    const { rows } = await database.pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    await database.close()
    expect(rows).toEqual([{ ssl: true }])
  })

  test('an untrusted certificate is rejected with a remedy', async () => {
    await expect(openFleet(verified(wrong))).rejects.toThrow(/certificate.*sslrootcert=FILE/)
    await expect(openFleet(url('sslmode=verify-full'))).rejects.toThrow(/certificate.*sslrootcert=FILE/)
    await expect(openFleet(url('sslmode=require'))).rejects.toThrow(/certificate.*sslrootcert=FILE/)
    await expect(openFleet(url('sslmode=verify-full&sslrootcert=/no/such.crt'))).rejects.toThrow(/\/no\/such\.crt/)
  })

  test('a certificate for another host name is rejected unless sslmode is no-verify', async () => {
    server().secure(elsewhere)
    await expect(openFleet(verified(elsewhere))).rejects.toThrow(/is for a different host name.*127\.0\.0\.1/)
    const fleet = await openFleet(url('sslmode=no-verify'))
    expect(await fleet.campaigns()).toEqual(['c'])
    await fleet.close()
  })
})
