/** SDK §3.5: the whole story: text → parse → validate → normalize. */
import { err, ok, type Result, withLimits } from '@joust/source'
import { type LoadedAttack, loadedAttack } from './loaded-attack.ts'
import type { OatfError } from './model/errors.ts'
import { type ParseOptions, parse } from './parse.ts'
import { syntaxCheckers, validate } from './validate.ts'

/** Loads an attack, or says everything that is wrong: with its structure, else with its content. */
export function load(input: string, options: ParseOptions = {}): Result<LoadedAttack, OatfError[]> {
  const parsed = parse(input, options)
  if (!parsed.ok) return parsed
  const { errors, warnings } = validate(parsed.value, options)
  if (errors.length > 0) return err([...errors])
  return ok(loadedAttack(input, parsed.value, warnings, syntaxCheckers, withLimits(options.limits)))
}
