/**
 * Signatures with keys derived from their names, so that a document and a test agree on them without exchanging
 * secrets. For tests only.
 */
import { createECDH, createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { isRecord, own, ownText, parseJson, type Value, type ValueRecord, writeJson } from '@joust/source'

const CURVE = { kty: 'EC', crv: 'P-256' } as const

/** Returns the public key for a name, as a JSON Web Key. */
export function publicKey(name: string): ValueRecord {
  const { d: _, ...key } = keyPair(name)
  return { ...key }
}

function keyPair(name: string) {
  const secret = createHash('sha256').update(`joust signing key ${name}`).digest()
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  const point = pair.getPublicKey()
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), secret].map((bytes) => bytes.toString('base64url'))
  return { ...CURVE, x: x ?? '', y: y ?? '', d: d ?? '' }
}

/** Creates a detached signature (RFC 7515, appendix F). */
export function signDetached(payload: string, header: ValueRecord, name: string): ValueRecord {
  const protectedPart = encode(writeJson(header))
  if (own(header, 'alg') === 'none') return { protected: protectedPart, signature: '' }
  const key = { key: createPrivateKey({ key: keyPair(name), format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  const signature = sign('sha256', Buffer.from(`${protectedPart}.${encode(payload)}`), key)
  return { protected: protectedPart, signature: signature.toString('base64url') }
}

/** Returns undefined if the header cannot be read. */
export function headerOf(signature: Value): ValueRecord | undefined {
  const header = parseJson(Buffer.from(ownText(signature, 'protected') ?? '', 'base64url').toString())
  return isRecord(header) ? header : undefined
}

export function verifyDetached(payload: string, signature: Value, key: Value): boolean {
  try {
    const input = Buffer.from(`${ownText(signature, 'protected') ?? ''}.${encode(payload)}`)
    const bytes = Buffer.from(ownText(signature, 'signature') ?? '', 'base64url')
    const jwk = { ...CURVE, x: ownText(key, 'x') ?? '', y: ownText(key, 'y') ?? '' }
    const by = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
    return headerOf(signature)?.alg === 'ES256' && verify('sha256', input, by, bytes)
  } catch {
    return false
  }
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}
