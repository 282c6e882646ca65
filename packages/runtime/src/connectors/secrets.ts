/** Texts that must not be shown: keys in headers and environments, which peers may repeat in what they say. */

import { cut, hideSpellings } from '@joust/source'
import type { CommandBinding, UrlBinding } from '../model/bindings.ts'
import { runtimeLimits } from '../model/limits.ts'

/** Takes the secrets out of a text and cuts it, by default to a length for messages. */
export type Redact = (text: string, most?: number) => string

/** For what a model reads: where that is too long, it is cut later, with a warning. */
export const WHOLE = Number.POSITIVE_INFINITY

const SHORTEST = 4

/** Hides the secrets of a binding. */
export function createRedact(binding: CommandBinding | UrlBinding): Redact {
  const values = 'command' in binding ? Object.values(binding.env ?? {}) : Object.values(binding.headers ?? {})
  // In "Bearer key" the key alone is as secret as the whole.
  const words = values.flatMap((value) => value.split(/\s+/))
  const secrets = [...(binding.secrets ?? []), ...values, ...words].filter((secret) => secret.length >= SHORTEST)
  const unique = [...new Set(secrets)]
  return (text, most = runtimeLimits.peerMessageCharacters) => cut(hideSpellings(unique, text, '[hidden]'), most)
}
