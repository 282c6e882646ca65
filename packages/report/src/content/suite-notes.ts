import { discriminationOf, type Results, simulatedAgents, type TargetResults } from '@joust/arena'

/** What to say about targets as a whole: for example, that both simulated controls were attacked and do not differ. */
export function suiteNotes(all: readonly Results[]): string[] {
  const targets = all.flatMap((results) => results.targets)
  return [...targets.flatMap(targetNotes), ...controlNotes(targets)]
}

/** How a target was controlled before it was attacked. */
function targetNotes({ name, control, mcp_version }: TargetResults): string[] {
  return [
    ...(control?.status === 'skipped' ? [`${name}: no control, ${control.reasons.join('; ')}`] : []),
    ...(mcp_version === undefined
      ? []
      : [`${name}: servers spoke MCP ${mcp_version} where the attack names no version`]),
  ]
}

function controlNotes(targets: readonly TargetResults[]): string[] {
  const positive = targets.find(({ name }) => name === simulatedAgents.positive)
  const negative = targets.find(({ name }) => name === simulatedAgents.negative)
  if (positive === undefined || negative === undefined) return []
  const { discriminating, message } = discriminationOf(positive, negative)
  return discriminating ? [] : [message]
}
