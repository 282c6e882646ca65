/** TLS by the URL, against a PostgreSQL with a certificate of our own. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/database.ts'
import { openFleet } from '../src/index.ts'
import { campaignOf } from './crew.ts'
import { withPostgres } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'joust-tls-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A self-signed authority; `name` is what the certificate is for. */
function certificate(file: string, name: string): { readonly certificate: string; readonly key: string } {
  const made = { certificate: join(folder, `${file}.crt`), key: join(folder, `${file}.key`) }
  const out = ['-keyout', made.key, '-out', made.certificate]
  const about = ['-subj', `/CN=${file}`, '-addext', `subjectAltName=${name}`, '-days', '2']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...kind, ...out, ...about], { stdio: 'ignore' })
  return made
}

withPostgres('TLS by the URL', (server) => {
  const right = certificate('right', 'IP:127.0.0.1')
  const wrong = certificate('wrong', 'IP:127.0.0.1')
  const elsewhere = certificate('elsewhere', 'DNS:db.example')
  const url = (words: string) => `${server().database('secure')}?${words}`
  const verified = ({ certificate: file }: typeof right) => url(`sslmode=verify-full&sslrootcert=${file}`)

  test('a server without it is not spoken to in the clear', async () => {
    await expect(openFleet(verified(right))).rejects.toThrow(
      /^the database 127.* it does not speak TLS, which the URL asks for: set ssl = on/,
    )
  })

  test('verified: books and queue go through it', async () => {
    server().secure(right)
    const fleet = await openFleet(verified(right))
    expect(await fleet.submit(campaignOf(['a'], 2))).toBe(2)
    await fleet.close()
    const database = await openDatabase(verified(right))
    const { rows } = await database.pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    await database.close()
    expect(rows).toEqual([{ ssl: true }])
  })

  test('an authority that did not sign it is refused, with what to do', async () => {
    await expect(openFleet(verified(wrong))).rejects.toThrow(/certificate.*sslrootcert=FILE/)
    await expect(openFleet(url('sslmode=verify-full'))).rejects.toThrow(/certificate.*sslrootcert=FILE/)
    await expect(openFleet(url('sslmode=require'))).rejects.toThrow(/certificate.*sslrootcert=FILE/)
    await expect(openFleet(url('sslmode=verify-full&sslrootcert=/no/such.crt'))).rejects.toThrow(/\/no\/such\.crt/)
  })

  test('so is a certificate for another name, unless whoever asks does not want to know', async () => {
    server().secure(elsewhere)
    await expect(openFleet(verified(elsewhere))).rejects.toThrow(/is for another name.*127\.0\.0\.1/)
    const fleet = await openFleet(url('sslmode=no-verify'))
    expect(await fleet.campaigns()).toEqual(['c'])
    await fleet.close()
  })
})
