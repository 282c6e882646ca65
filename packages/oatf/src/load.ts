/** [OATF SDK §3.5](https://oatf.io/sdk/entry-points/), synchronous: CEL and JSONPath are always imported. */
import { err, type Result } from '@joust/source'
import { libraries } from './adapters/libraries.ts'
import type { LoadedAttack, LoadOptions } from './loaded-attack.ts'
import { checkAttack, readAttack } from './loading.ts'
import type { OatfError } from './model/errors.ts'

/** Loads an attack, or returns every error of the first stage that failed: its structure, else its content. */
export function load(input: string, options: LoadOptions = {}): Result<LoadedAttack, OatfError[]> {
  const reading = readAttack(input, options)
  if (!reading.ok) return reading
  const loaded = checkAttack(reading.value, libraries)
  return loaded.ok ? loaded : err(loaded.error.errors)
}
