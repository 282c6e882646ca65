import { isAbuse } from '../evidence.ts'
import { lowered } from '../limits.ts'
import type { RestraintRow } from '../restraint.ts'

/** As many calls as there were before the first one of the attack. */
export const budget: RestraintRow = {
  name: 'budget',
  summary: 'limit how many tools a run may call',
  propose: ({ agents: [root], through }) => {
    const counts = through.flatMap((evidence) => {
      const first = evidence.calls.findIndex((call) => isAbuse(evidence, call))
      // An attack that shows in the answer may need all of its calls, or one fewer.
      const needed = first < 0 ? evidence.calls.length - 1 : first
      return needed < 0 ? [] : [needed]
    })
    const distinct = [...new Set(counts)].sort((a, b) => b - a)
    return root === undefined ? [] : distinct.flatMap((most) => lowered(budget.name, root, 'max_tool_calls', most))
  },
}
