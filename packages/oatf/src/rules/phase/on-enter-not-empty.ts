import type { Rule } from '../rule.ts'
import { checkPhaseLists } from './phase-lists.ts'

/** `on_enter`, when present, has at least one entry (V-043). */
export const onEnterNotEmpty: Rule = (walk, report) => {
  checkPhaseLists(walk, 'on_enter', report)
}
