import { describeValue, isList, own } from '@joust/source'
import type { Report } from '../rule.ts'
import type { Walk } from '../walk.ts'

/** Reports every phase in which a list is there but has no entry. */
export function checkPhaseLists(walk: Walk, key: string, report: Report): void {
  for (const phase of walk.phases) {
    const list = own(phase.value, key)
    if (list === undefined || (isList(list) && list.length > 0)) continue
    const seen = isList(list) ? 'is empty' : `must be a list, got ${describeValue(list)}`
    report([...phase.path, key], `"${key}" ${seen}; give it at least one entry or leave it out`)
  }
}
