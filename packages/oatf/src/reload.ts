/** Loads an attack again with changed values; its text and its positions stay. */
import { err, type Result, type Value } from '@joust/source'
import { libraries } from './adapters/libraries.ts'
import type { LoadedAttack } from './loaded-attack.ts'
import { checkAttack, type LoadOptions, readAttack } from './loading.ts'
import { read } from './parse.ts'

/** Loads the attack with the value that `change` returns; it receives the value of the text. */
export function reload(
  { text }: LoadedAttack,
  change: (value: Value) => Value,
  options: LoadOptions = {},
): Result<LoadedAttack, string> {
  const source = read(text, options)
  const reading = source.ok ? readAttack({ ...source.value, value: change(source.value.value) }, options) : source
  const loaded = reading.ok ? checkAttack(reading.value, libraries) : reading
  if (loaded.ok) return loaded
  const [first] = 'errors' in loaded.error ? loaded.error.errors : loaded.error
  return err(first?.message ?? 'the document is invalid')
}
