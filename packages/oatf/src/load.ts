/** SDK §3.5, the whole story: read → translate → parse → validate → normalize. */
import { err, ok, type Result, sortByPosition, withLimits } from '@joust/source'
import { type RunTranslateOptions, translateForRun } from './dialects/translate.ts'
import { type LoadedAttack, loadedAttack, unreadAttack } from './loaded-attack.ts'
import type { OatfError } from './model/errors.ts'
import { type ParseOptions, read, shape } from './parse.ts'
import { runRules } from './rules/run.ts'
import { ruleTable } from './rules/table.ts'
import { syntaxCheckers } from './validate.ts'

/** Options of `load`: with `strict` a document in a dialect is left as it is written. */
export interface LoadOptions extends ParseOptions, RunTranslateOptions {}

/** Loads an attack, or says everything that is wrong: with its structure, else with its content. */
export function load(input: string, options: LoadOptions = {}): Result<LoadedAttack, OatfError[]> {
  const text = read(input, options)
  if (!text.ok) return text
  const { source, translations, unread } = translateForRun(text.value, options)
  const parsed = shape(source)
  if (!parsed.ok) return parsed
  const limits = withLimits(options.limits)
  const { errors, warnings } = runRules(ruleTable, parsed.value, syntaxCheckers, limits)
  if (errors.length > 0) return err([...errors])
  const all = sortByPosition([...translations, ...warnings])
  return ok(
    loadedAttack(
      {
        text: input,
        written: parsed.value,
        warnings: all,
        unread: unread && unreadAttack(unread, syntaxCheckers, limits),
      },
      syntaxCheckers,
      limits,
    ),
  )
}
