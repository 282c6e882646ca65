import { describeValue, suggestions } from '@joust/source'
import { findBinding } from '../../bindings/table.ts'
import { textOf } from '../../rules/walk.ts'
import { meantName, meantToday } from '../meant.ts'
import type { LintRule } from '../rule.ts'

/** A surface is spelled as its binding spells it (L-012). */
export const surfaceSpelled: LintRule = ({ walk }, report) => {
  const hint = suggestions()
  for (const { path, value, protocol } of walk.indicators) {
    const surface = textOf(value, 'surface')
    const known = (protocol === undefined ? undefined : findBinding(protocol))?.surfaces ?? []
    if (surface === undefined || known.includes(surface)) continue
    const meant = meantName(surface, known, hint) ?? meantToday(surface, protocol ?? '', known, hint)
    const fault = `${describeValue(surface)} is not an operation of ${protocol}, so that the indicator sees no message.`
    if (meant !== undefined) report([...path, 'surface'], fault, { meant })
  }
}
