/** Whether somebody listens at an address, before an attack is begun. */
import { connect } from 'node:net'
import { bounds } from '../../model/limits.ts'
import { reasonOf } from '../../transport/streams.ts'

/** Why nothing can be reached at a URL; undefined when a connection is accepted. Never rejects, bounded. */
export async function unreachable(url: string, patienceMs = bounds.endpointMs): Promise<string | undefined> {
  const { protocol, hostname, port } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '', port: '' }
  if (protocol !== 'http:' && protocol !== 'https:') return `${JSON.stringify(url)} is not an http or https address`
  const host = hostname.replace(/^\[|\]$/g, '')
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return new Promise((resolve) => {
    const socket = connect({ host, port: number })
    const end = (fault?: string) => {
      socket.destroy()
      resolve(fault === undefined ? undefined : `${fault} at ${hostname}:${number}`)
    }
    socket.setTimeout(patienceMs, () => end(`no answer within ${patienceMs / 1000} s`))
    socket.once('connect', () => end())
    // Stays for good: a socket may fail again.
    socket.on('error', (error) => end(describe(error)))
  })
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
}

function describe(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  return reasons[code] ?? reasonOf(error)
}
