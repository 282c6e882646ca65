import { own } from '@joust/source'
import { placesIn } from '../../dialects/places.ts'
import { dialectTable } from '../../dialects/table.ts'
import { VERBATIM } from '../../dialects/verbatim.ts'
import type { LintRule } from '../rule.ts'

/** `x-joust-verbatim` is true or false, and says what it leaves as written (L-023). */
export const verbatimKnown: LintRule = ({ walk }, report) => {
  const verbatim = own(walk.attack, VERBATIM)
  if (verbatim === undefined || verbatim === false) return
  const path = ['attack', VERBATIM]
  if (verbatim !== true) {
    report(path, 'expected true or false; anything else changes nothing')
    return
  }
  const places = placesIn(walk.document)
  const left = dialectTable.filter(({ repairs, find }) => repairs === 'wire' && find(places).length > 0)
  if (left.length === 0) return
  const codes = left.map(({ code }) => code).join(', ')
  report(path, `what an agent may refuse or not reach goes on the wire as written: ${codes}`)
}
