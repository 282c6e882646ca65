import type { Rule } from '../rule.ts'
import { checkPhaseLists } from './phase-lists.ts'

/** `extractors`, when present, has at least one entry (V-038). */
export const extractorsNotEmpty: Rule = (walk, report) => {
  checkPhaseLists(walk, 'extractors', report)
}
