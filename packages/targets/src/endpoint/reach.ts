/** Checks that a URL accepts connections. */

import { connect } from 'node:net'
import { reasonOf } from '@joust/arena/wire'
import { targetLimits } from '../limits.ts'

/** Returns the reason why a URL is unreachable; undefined if the URL accepts a connection. Never rejects. */
export async function unreachable(url: string): Promise<string | undefined> {
  const { protocol, hostname, port } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '', port: '' }
  if (protocol !== 'http:' && protocol !== 'https:') return `${JSON.stringify(url)} is not an http or https URL`
  const host = hostname.replace(/^\[|\]$/g, '')
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return new Promise((resolve) => {
    const socket = connect({ host, port: number })
    const end = (fault?: string) => {
      socket.destroy()
      resolve(fault === undefined ? undefined : `${fault} at ${hostname}:${number}`)
    }
    socket.setTimeout(targetLimits.endpointMs, () => end(`no answer within ${targetLimits.endpointMs / 1000} s`))
    socket.once('connect', () => end())
    // The listener must stay, because a socket may fail repeatedly.
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
