import { lowered, type RestraintRow } from '../restraint.ts'

/** A limit on the delegation depth, below the observed depth. */
export const delegationDepth: RestraintRow = {
  name: 'delegation-depth',
  summary: 'limit the delegation depth',
  propose: ({ agents: [root], through }) => {
    const deepest = Math.max(
      0,
      ...through.flatMap(({ inputs, calls }) => [
        ...inputs.map(({ path }) => path.length),
        // A remote agent is one level deeper.
        ...calls.map(({ tool }) => (tool === undefined ? 1 : 0)),
      ]),
    )
    const depths = Array.from({ length: deepest }, (_, index) => deepest - 1 - index)
    return root === undefined
      ? []
      : depths.flatMap((most) => lowered(delegationDepth.name, root, 'max_delegation_depth', most))
  },
}
