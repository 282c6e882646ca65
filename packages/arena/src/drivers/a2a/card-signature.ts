/**
 * Signatures of agent cards (A2A 1.0, 8.4). The state extension `x-joust-signature: { key, kid, alg, jku, of }` signs
 * the card; a list adds several signatures.
 */
import { defined, isList, isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import type { Scene, Stage } from '../driver.ts'
import { canonicalCard } from './canonical-card.ts'
import { headerOf, publicKey, signDetached, verifyDetached } from './jws.ts'

const SIGNATURE = 'x-joust-signature'

/** Path to an agent's public keys. */
export const KEYS_PATH = '/.well-known/jwks.json'

interface Signing {
  readonly key: string
  readonly kid: string
  readonly header: ValueRecord
  /** Card fields whose signed values differ from the sent values. */
  readonly of: ValueRecord
}

export function asksSignature({ state }: Scene): boolean {
  return (own(state, SIGNATURE) ?? null) !== null
}

export function withSignatures(stage: Stage, scene: Scene, card: ValueRecord): ValueRecord {
  const signatures = signings(stage, scene).map(({ key, header, of }) =>
    signDetached(canonicalCard({ ...card, ...of }), header, key),
  )
  return signatures.length === 0 ? card : { ...card, signatures: [...ownList(card, 'signatures'), ...signatures] }
}

/** Returns the public signing keys; undefined if the state has no signatures. */
export function keySet(stage: Stage, scene: Scene): Value | undefined {
  const signed = signings(stage, scene)
  if (signed.length === 0) return undefined
  return { keys: signed.map(({ key, kid }) => ({ ...publicKey(key), kid, alg: 'ES256', use: 'sig' })) }
}

function signings(stage: Stage, { state }: Scene): readonly Signing[] {
  const written = own(state, SIGNATURE)
  if (written === undefined || written === null) return []
  const filled = stage.fill(written)
  return (isList(filled) ? filled : [filled]).flatMap((one) => {
    const key = ownText(one, 'key')
    const alg = own(one, 'alg') ?? 'ES256'
    if (!isRecord(one) || key === undefined || (alg !== 'ES256' && alg !== 'none')) {
      stage.report('state-malformed', `${SIGNATURE}: expected "key", and "alg" as "ES256" or "none"`, SIGNATURE)
      return []
    }
    const kid = ownText(one, 'kid') ?? key
    const header = defined({ alg, typ: 'JOSE', kid, jku: own(one, 'jku') })
    const of = own(one, 'of')
    return [{ key, kid, header, of: isRecord(of) ? of : {} }]
  })
}

/** True if a card has a valid signature; `keyFor` returns the public key for a signature header. */
export function isSignedCard(card: Value, keyFor: (header: ValueRecord) => Value | undefined): boolean {
  if (!isRecord(card)) return false
  const payload = canonicalCard(card)
  return ownList(card, 'signatures').some((signature) => {
    const header = headerOf(signature)
    const key = header && keyFor(header)
    return key !== undefined && verifyDetached(payload, signature, key)
  })
}
