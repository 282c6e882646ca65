import {
  discriminationOf,
  preflightSummary,
  type Results,
  simulatedAgents,
  type TargetResults,
  throughSummary,
} from '@joust/results'

/** Returns notes on targets, for example that both simulated agents have the same outcomes. */
export function suiteNotes(all: readonly Results[]): string[] {
  const targets = all.flatMap((results) => results.targets)
  return [...targets.flatMap(targetNotes), ...controlNotes(targets)]
}

function targetNotes({ name, preflight, mcp_version, attacks }: TargetResults): string[] {
  const summary = preflight && preflightSummary(preflight)
  const through = throughSummary(attacks)
  return [
    ...(summary === undefined ? [] : [`${name}: preflight: ${summary}`]),
    ...(preflight?.status === 'skipped' ? [`${name}: no preflight, ${preflight.reasons.join('; ')}`] : []),
    ...(mcp_version === undefined ? [] : [`${name}: servers used MCP ${mcp_version} unless the attack sets a version`]),
    ...(through === undefined ? [] : [`${name}: ${through}`]),
    ...sensitivityNotes(attacks).map((note) => `${name}: ${note}`),
  ]
}

function sensitivityNotes(attacks: TargetResults['attacks']): string[] {
  const runs = attacks.flatMap(({ controls }) => controls?.sensitivity ?? [])
  const skipped = new Set(runs.flatMap((run) => run.skipped ?? []))
  const counted = runs.filter(({ of }) => of > 0)
  const successes = counted.filter((run) => run.fell > 0).length
  const rate = `with sim/credulous as its model, ${successes} of ${counted.length} unsuccessful attacks succeed`
  return [...(counted.length === 0 ? [] : [rate]), ...[...skipped].map((reason) => `no sensitivity run, ${reason}`)]
}

function controlNotes(targets: readonly TargetResults[]): string[] {
  const positive = targets.find(({ name }) => name === simulatedAgents.positive)
  const negative = targets.find(({ name }) => name === simulatedAgents.negative)
  if (positive === undefined || negative === undefined) return []
  const { discriminating, message } = discriminationOf(positive, negative)
  return discriminating ? [] : [message]
}
