/** A temporary PostgreSQL in a new folder on a free loopback port, with installed programs. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Postgres {
  /** Returns the URL of a database, which is created if it does not exist. */
  database(name: string): string
  /** Returns the process id of the server's main process. */
  pid(): number
  start(): void
  /** Restarts the server with TLS and this certificate. */
  secure(files: { readonly certificate: string; readonly key: string }): void
  /** Stops the server abruptly, like a power failure, or in an orderly way. */
  stop(how: 'immediate' | 'fast'): void
  /** Stops the server permanently and deletes its data. */
  remove(): void
}

/** Returns the program folder, or undefined if PostgreSQL is not installed. */
export function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  const installed = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [...installed.map((version) => join(root, version, 'bin')), ...(process.env.PATH ?? '').split(':')]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')))
}

/** Creates and starts a database cluster in `folder`, by default a new folder. */
export async function startPostgres(programs: string, folder?: string): Promise<Postgres> {
  const home = folder ?? mkdtempSync(join(tmpdir(), 'joust-postgres-'))
  // PostgreSQL does not run as root.
  const who = process.getuid?.() === 0 ? accountOf('postgres') : undefined
  if (who !== undefined) chownSync(home, who.uid, who.gid)
  const data = join(home, 'data')
  const run = (program: string, ...args: string[]) => {
    const { status, stderr, error } = spawnSync(join(programs, program), args, {
      ...who,
      cwd: home,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`)
  }
  let port = await freePort()
  let tls = ''
  const options = () => `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c max_connections=200 -c fsync=off${tls}`
  const start = () => run('pg_ctl', '-D', data, '-o', options(), '-l', join(home, 'log'), '-w', 'start')
  const stop = (how: string) => run('pg_ctl', '-D', data, '-m', how, '-w', 'stop')
  run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync')
  try {
    start()
  } catch {
    // Another process used the port first.
    port = await freePort()
    start()
  }
  const known = new Set<string>()
  return {
    database(name) {
      if (!known.has(name)) run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', name)
      known.add(name)
      return `postgres://postgres@127.0.0.1:${port}/${name}`
    },
    pid: () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    start,
    stop,
    secure({ certificate, key }) {
      const [own, secret] = [join(home, 'server.crt'), join(home, 'server.key')]
      copyFileSync(certificate, own)
      copyFileSync(key, secret)
      // PostgreSQL accepts only a key that other users cannot read.
      chmodSync(secret, 0o600)
      if (who !== undefined) for (const file of [own, secret]) chownSync(file, who.uid, who.gid)
      tls = ` -c ssl=on -c ssl_cert_file=${own} -c ssl_key_file=${secret}`
      stop('fast')
      start()
    },
    remove() {
      try {
        stop('immediate')
      } finally {
        if (folder === undefined) rmSync(home, { recursive: true, force: true })
      }
    },
  }
}

function accountOf(name: string): { readonly uid: number; readonly gid: number } {
  const number = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
