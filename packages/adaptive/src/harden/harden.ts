/** Searches for the smallest change to agent files that stops the successful attacks and preserves the tasks. */
import { agentPaths } from '@joust/agentformat'
import {
  attackIn,
  isJudged,
  joinResults,
  knownShapes,
  type Redacted,
  type Results,
  withHardening,
} from '@joust/results'
import { createSpending, type SuiteAttack } from '@joust/trials'
import { type EditedFile, editAgent } from './edit.ts'
import { isThrough, taskShare } from './effect.ts'
import { createEvidence, type Evidence, type EvidenceWatch } from './evidence.ts'
import type { Hardened, HardenOptions, MeteredHardening } from './options.ts'
import { createOracle, type Oracle } from './oracle.ts'
import { type Basis, chosenFrom, distinct, type Restraint } from './restraint.ts'
import { restraintTable } from './restraints/table.ts'
import { type Smallest, smallestSet } from './smallest.ts'
import { summarize } from './summary.ts'

/**
 * Hardens an agent. Does not reject if the agent or an attack fails.
 *
 * @example
 * const options = { agent: loadedAgent.agent, run: runWithin, confirm: 3, signal: AbortSignal.timeout(600_000) }
 * const hardened = await hardenAgent([{ file: 'mine', attack }], options)
 */
export async function hardenAgent(attacks: readonly SuiteAttack[], requested: HardenOptions): Promise<Hardened> {
  const spending = createSpending(requested.budget, requested.signal)
  const options = { ...requested, run: spending.metered(requested.run), halted: spending.halted }
  const { before, watches } = await runBefore(attacks, options)
  const all = evidenceOf(attacks, before, watches)
  const judged = all.filter(({ results }) => isJudged(results))
  const through = judged.filter(({ results }) => isThrough(results))
  const basis = basisOf(all, through, options)
  const restraints = through.length === 0 ? [] : await candidatesFor(basis, options)
  const sharesBefore = judged.map(({ results }) => taskShare(results.trials))
  const oracle = createOracle({ restraints, evidence: judged, sharesBefore, options })
  const first = (index: number) => originsOf(restraints[index], judged, basis)
  const smallest = before.stopped === undefined ? await search(judged, restraints, oracle, first) : NOTHING
  const chosen = chosenFrom(restraints, smallest.set)
  const edited = chosen.length === 0 ? undefined : await editAgent(options.agent, chosen)
  const files: readonly EditedFile[] = edited?.ok === true ? edited.value.files : []
  const after = chosen.length === 0 ? undefined : oracle.confirmed(smallest.set)
  const ending = { before, after: after?.results, files, basis, halted: options.halted() }
  const hardening = summarize({ all, judged, restraints, smallest, chosen, oracle, ...ending })
  const whole = joinResults([{ results: before, under: BEFORE }])
  const results = withHardening(whole, hardening, options.redactor ?? knownShapes())
  return { results, ...(after && { after }), hardening, files }
}

const NOTHING: Smallest = { set: [], stopped: [], open: [], halted: true }

const BEFORE = 'before'

async function runBefore(attacks: readonly SuiteAttack[], { run, agent }: MeteredHardening) {
  const watches = new Map<string, EvidenceWatch>()
  const watchOf = (file: string) => {
    const watch = watches.get(file) ?? createEvidence()
    watches.set(file, watch)
    return watch
  }
  const before = await run({
    name: BEFORE,
    kept: true,
    agent,
    attacks,
    onEvent({ file, trial }, event) {
      // The first trial is enough.
      if (event.type === 'message-recorded' && trial === 1) watchOf(file).message(event.entry)
    },
    onAgentEvent({ file, trial }, event) {
      if (trial === 1) watchOf(file).agent(event)
    },
  })
  return { before, watches }
}

function evidenceOf(
  attacks: readonly SuiteAttack[],
  before: Redacted<Results>,
  watches: ReadonlyMap<string, EvidenceWatch>,
): Evidence[] {
  return attacks.flatMap((attack) => {
    const results = attackIn(before, attack.file)
    return results === undefined ? [] : [(watches.get(attack.file) ?? createEvidence()).evidence(attack, results)]
  })
}

function basisOf(all: readonly Evidence[], through: readonly Evidence[], options: MeteredHardening): Basis {
  const { agent, bind = {}, policies = [] } = options
  return {
    agents: [...agentPaths(agent).keys()],
    all,
    through,
    policies,
    aliasesOf(actor) {
      const bound = Object.keys(bind).filter((alias) => bind[alias] === actor)
      return bound.length > 0 ? bound : [actor]
    },
  }
}

/** Returns the restraints that result in a valid agent, in order of preference. */
async function candidatesFor(basis: Basis, { agent, kinds }: MeteredHardening): Promise<Restraint[]> {
  const rows = restraintTable.filter(({ name }) => kinds === undefined || kinds.includes(name))
  const proposed = distinct(rows.flatMap((row) => row.propose(basis)))
  const valid = new Map<string, Restraint>()
  for (const one of proposed) {
    const edited = await editAgent(agent, [one])
    if (!edited.ok) continue
    // Restraints that result in the same text count once.
    const text = JSON.stringify(edited.value.files)
    if (!valid.has(text)) valid.set(text, one)
  }
  return [...valid.values()]
}

function originsOf(restraint: Restraint | undefined, judged: readonly Evidence[], basis: Basis): number[] {
  const row = restraintTable.find(({ name }) => name === restraint?.kind)
  return judged.flatMap((evidence, index) => {
    if (!basis.through.includes(evidence)) return []
    const proposed = row?.propose({ ...basis, through: [evidence] }) ?? []
    return proposed.some(({ text }) => text === restraint?.text) ? [index] : []
  })
}

/** Searches with enforced restraints first, then adds instructions for the remaining attacks. */
async function search(
  judged: readonly Evidence[],
  restraints: readonly Restraint[],
  oracle: Oracle,
  first: (restraint: number) => readonly number[],
): Promise<Smallest> {
  const numbers = judged.map((_, index) => index)
  const isTarget = (index: number) => chosenFrom(judged, [index]).some(({ results }) => isThrough(results))
  const targets = numbers.filter(isTarget)
  const others = numbers.filter((index) => !isTarget(index))
  const of = (weak: boolean) =>
    restraints.flatMap((restraint, index) => ((restraint.weak === true) === weak ? [index] : []))
  const { effects, confirm } = oracle
  const strong = await smallestSet({ restraints: of(false), targets, others, first, effects, confirm })
  if (strong.halted || strong.open.length === 0 || of(true).length === 0) return strong
  const rest = { restraints: of(true), base: strong.set, targets: strong.open, others: [...others, ...strong.stopped] }
  const more = await smallestSet({
    ...rest,
    effects,
    confirm: (set, also) => confirm(set, [...strong.stopped, ...also]),
  })
  // The effect of the instructions is unknown.
  if (more.halted) return { ...strong, open: [], halted: true }
  if (more.stopped.length === 0) return strong
  return { set: more.set, stopped: [...strong.stopped, ...more.stopped], open: more.open }
}
