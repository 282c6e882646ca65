import { err, type Result, type Value } from '@joust/source'
import { libraries } from './adapters/libraries.ts'
import type { LoadedAttack, LoadOptions } from './loaded-attack.ts'
import { checkAttack, readAttack } from './loading.ts'

interface ReloadOptions extends LoadOptions {
  /** Keeps the fingerprint and the findings of this attack. */
  readonly like?: LoadedAttack
}

/** Loads an attack again with a changed value. Positions are kept. */
export function reload(
  { source, options: loadOptions }: LoadedAttack,
  change: (value: Value) => Value,
  { like, ...options }: ReloadOptions = {},
): Result<LoadedAttack, string> {
  const reading = readAttack({ ...source, value: change(source.value) }, { ...loadOptions, ...options })
  const loaded = reading.ok ? checkAttack(reading.value, libraries, like) : reading
  if (loaded.ok) return loaded
  const [first] = 'errors' in loaded.error ? loaded.error.errors : loaded.error
  return err(first?.message ?? 'the document is invalid')
}
