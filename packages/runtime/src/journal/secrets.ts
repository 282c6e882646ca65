/** Removes secrets from journal lines on writing and restores them on reading, so that steps are replayed exactly. */
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { sha256 } from '@joust/io'
import { findSpellings, isRecord, setOwn } from '@joust/source'

/** Shorter strings are too common in other text. */
const SHORTEST = 4

export interface LineCodec {
  write(value: unknown): string
  /** Throws if the text is not JSON. */
  read(text: string): unknown
}

/** Creates the codec of a journal with the given salt. Secrets that are not supplied on reading stay redacted. */
export function lineCodec(secrets: readonly string[], salt: string): LineCodec {
  // Call arguments contain secrets in the form that they have inside a JSON string.
  const marks = [...new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))]
    .filter((secret) => secret.length >= SHORTEST)
    // One secret may contain another.
    .toSorted((a, b) => b.length - a.length)
    .map((secret) => {
      const id = sha256(salt + secret, 12)
      return { secret, mark: `[secret ${id}]`, sealed: new RegExp(`\\[secret ${id} ([\\w-]+)\\]`, 'g'), id }
    })
  const hide = (text: string) =>
    marks.reduce((hidden, { secret, mark, id }) => {
      const seal = (spelled: string) => `[secret ${id} ${sealText(spelled, salt + secret)}]`
      return replaceSpellings(secret, hidden.replaceAll(secret, mark), seal)
    }, text)
  const show = (text: string) =>
    marks.reduce((shown, { secret, mark, sealed }) => {
      const open = (_: string, seal: string) => openText(seal, salt + secret)
      return shown.replaceAll(mark, () => secret).replaceAll(sealed, open)
    }, text)
  return {
    // Documents may contain integers beyond the range of JSON numbers.
    write: (value) => JSON.stringify(value, (_, here) => mapped(typeof here === 'bigint' ? String(here) : here, hide)),
    read: (text) => JSON.parse(text, (_, here) => mapped(here, show)),
  }
}

function replaceSpellings(secret: string, text: string, replace: (spelled: string) => string): string {
  const parts: string[] = []
  let end = 0
  for (const span of findSpellings([secret], text).sort((a, b) => a.start - b.start)) {
    if (span.start < end) continue
    parts.push(text.slice(end, span.start), replace(text.slice(span.start, span.end)))
    end = span.end
  }
  return `${parts.join('')}${text.slice(end)}`
}

const CIPHER = 'aes-256-ctr'
const IV_BYTES = 16

/**
 * Encrypts a spelling of a secret with the secret as the key. The initialization vector is derived from the spelling:
 * equal spellings must have equal ciphertexts, because steps are found by the hash of the line.
 */
function sealText(spelled: string, key: string): string {
  const iv = createHmac('sha256', key).update(spelled).digest().subarray(0, IV_BYTES)
  const cipher = createCipheriv(CIPHER, createHash('sha256').update(key).digest(), iv)
  return Buffer.concat([iv, cipher.update(spelled, 'utf8'), cipher.final()]).toString('base64url')
}

function openText(sealed: string, key: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const iv = Buffer.alloc(IV_BYTES)
  bytes.copy(iv)
  const decipher = createDecipheriv(CIPHER, createHash('sha256').update(key).digest(), iv)
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString('utf8')
}

/** Applies `change` to all strings, including field names. */
function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (!isRecord(value) || Object.keys(value).every((key) => change(key) === key)) return value
  const record = {}
  for (const [key, item] of Object.entries(value)) setOwn(record, change(key), item)
  return record
}
