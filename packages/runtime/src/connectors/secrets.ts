/** Redacts secrets, such as keys in headers and environment variables, in messages from peers. */
import { cut, hideSpellings } from '@joust/source'
import type { CommandBinding, UrlBinding } from '../model/bindings.ts'
import { runtimeLimits } from '../model/limits.ts'

/** Redacts secrets in a text and truncates it, by default to the length limit of messages. */
export type Redact = (text: string, most?: number) => string

/** No truncation, for text read by a model: it is truncated later, with a warning. */
export const UNLIMITED = Number.POSITIVE_INFINITY

const SHORTEST = 4

export function createRedact(binding: CommandBinding | UrlBinding): Redact {
  const values = 'command' in binding ? Object.values(binding.env ?? {}) : Object.values(binding.headers ?? {})
  // In "Bearer key", the key by itself is a secret too.
  const words = values.flatMap((value) => value.split(/\s+/))
  const secrets = [...(binding.secrets ?? []), ...values, ...words].filter((secret) => secret.length >= SHORTEST)
  const unique = [...new Set(secrets)]
  return (text, most = runtimeLimits.peerMessageCharacters) => cut(hideSpellings(unique, text, '[hidden]'), most)
}
