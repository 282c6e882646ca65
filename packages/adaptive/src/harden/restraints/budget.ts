import { actOf, isAbuse } from '../evidence.ts'
import { lowered, type RestraintRow } from '../restraint.ts'

/** A limit on tool calls: the number of calls before the attack's first call. */
export const budget: RestraintRow = {
  name: 'budget',
  summary: 'limit the number of tool calls per run',
  propose: ({ agents: [root], through }) => {
    const counts = through.flatMap((evidence) => {
      const abused = evidence.calls.find((call) => isAbuse(evidence, call))
      const act = abused && actOf(evidence, abused)
      // An attack that shows only in the answer may need all of its calls.
      const most = act === undefined ? evidence.acts.length - 1 : evidence.acts.indexOf(act)
      return most < 0 ? [] : [most]
    })
    const distinct = [...new Set(counts)].sort((a, b) => b - a)
    return root === undefined ? [] : distinct.flatMap((most) => lowered(budget.name, root, 'max_tool_calls', most))
  },
}
