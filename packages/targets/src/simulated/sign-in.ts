/**
 * Sign-in of a simulated MCP client (OAuth 2.1): metadata of the resource and its authorization server, a code from a
 * browser whose user is signed in everywhere, and a token. The cautious client verifies the issuer in the metadata
 * (RFC 8414 §3.3) and in the response with the code (RFC 9207).
 */
import { randomUUID } from 'node:crypto'
import { err, ok, own, ownList, ownText, type Result } from '@joust/source'
import type { HostSend } from './actors-only.ts'
import type { Disposition } from './host.ts'

/** Signs in after a challenge and returns the token; the error is the reason for the failure. */
export async function signIn(kind: Disposition, challenge: string, send: HostSend): Promise<Result<string, string>> {
  const [, resource = ''] = /resource_metadata="([^"]*)"/.exec(challenge) ?? []
  const [issuer] = ownList((await send(resource)).value, 'authorization_servers')
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) return err('the server specifies no authorization server')
  const { value: metadata } = await send(metadataOf(issuer))
  const endpoint = (name: string) => ownText(metadata, `${name}_endpoint`) ?? ''
  if (kind === 'cautious' && own(metadata, 'issuer') !== issuer)
    return err('the metadata belongs to another authorization server')
  const [state, verifier] = [randomUUID(), randomUUID()]
  const { headers } = await send(
    `${endpoint('authorization')}?${new URLSearchParams({ ...client, state, response_type: 'code' })}`,
  )
  const location = headers.get('location') ?? ''
  const answer = URL.canParse(location) ? new URL(location).searchParams : new URLSearchParams()
  const code = answer.get('code')
  if (code === null || answer.get('state') !== state) return err('the sign-in page returned no code')
  if (kind === 'cautious' && answer.get('iss') !== issuer)
    return err('the code was issued by a different authorization server')
  const form = new URLSearchParams({ ...client, code, grant_type: 'authorization_code', code_verifier: verifier })
  const { value: token } = await send(endpoint('token'), { method: 'POST', body: form })
  return ok(ownText(token, 'access_token') ?? '')
}

const client = { client_id: 'assistant', redirect_uri: 'http://127.0.0.1/callback' }

/** Returns the metadata URL of an issuer, which ends with the issuer's path (RFC 8414 §3.1). */
function metadataOf(issuer: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`
}
