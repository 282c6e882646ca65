/** Summarizes a hardening search for the results. */
import { attackIn, type HardenedAttack, type Redacted, type ResultHardening, type Results } from '@joust/results'
import { defined, unifiedDiff } from '@joust/source'
import { localToolsOf, playedBy } from './declarations.ts'
import type { EditedFile } from './edit.ts'
import { isThrough, taskShare } from './effect.ts'
import { type Evidence, isAbuse, type SeenCall } from './evidence.ts'
import type { Oracle } from './oracle.ts'
import { type Basis, chosenFrom, type Restraint } from './restraint.ts'
import type { Smallest } from './smallest.ts'

interface Story {
  readonly all: readonly Evidence[]
  /** Attacks with a conclusive outcome. */
  readonly judged: readonly Evidence[]
  readonly restraints: readonly Restraint[]
  readonly smallest: Smallest
  readonly chosen: readonly Restraint[]
  readonly oracle: Oracle
  readonly before: Redacted<Results>
  readonly after: Redacted<Results> | undefined
  readonly files: readonly EditedFile[]
  readonly basis: Basis
  readonly halted: string | undefined
}

export function summarize(story: Story): ResultHardening {
  const { all, chosen, oracle, before, smallest, files, halted } = story
  const stopped =
    before.stopped?.message ?? (smallest.halted ? (halted ?? 'too many combinations of restraints to try') : undefined)
  return {
    restraints: chosen.map(({ kind, source, text, weak }) => ({ kind, file: source, text, ...(weak && { weak }) })),
    attacks: all.map((evidence) => attackOf(evidence, story)),
    diff: files.map(({ source, before: old, after }) => unifiedDiff(old, after, source)).join(''),
    cost: { ...oracle.cost },
    ...(stopped === undefined ? {} : { stopped }),
  }
}

function attackOf(evidence: Evidence, story: Story): HardenedAttack {
  const { judged, smallest, oracle, restraints, after } = story
  const { results } = evidence
  const index = judged.indexOf(evidence)
  const now = after && attackIn(after, evidence.attack.file)
  const status = statusOf(index, evidence, smallest)
  const doAlone = (set: readonly number[]) =>
    set.filter((one) => {
      const effect = oracle.known([one], index)
      return effect?.attack === 'stopped' && effect.kept
    })
  const texts = (numbers: readonly number[]) => chosenFrom(restraints, numbers).map(({ text }) => text)
  const alone = doAlone(smallest.set)
  const by = status !== 'stopped' ? [] : alone.length > 0 ? alone : smallest.set
  const others = isThrough(results) && index >= 0 ? doAlone(restraints.map((_, number) => number)) : []
  const before = taskShare(results.trials)
  const afterwards = now && taskShare(now.trials)
  return defined({
    file: evidence.attack.file,
    status,
    before: results.outcome,
    after: now?.outcome,
    by: texts(by),
    alternatives: texts(others.filter((one) => !by.includes(one))),
    task: before && defined({ before, after: afterwards }),
    reason: reasonFor(evidence, index, status, story),
  })
}

function statusOf(index: number, { results }: Evidence, smallest: Smallest): HardenedAttack['status'] {
  if (index < 0) return 'undecided'
  if (!isThrough(results)) return 'harmless'
  if (smallest.stopped.includes(index)) return 'stopped'
  return smallest.open.includes(index) ? 'open' : 'undecided'
}

const MOST_REASONS = 3

function reasonFor(
  evidence: Evidence,
  index: number,
  status: HardenedAttack['status'],
  story: Story,
): string | undefined {
  if (index < 0) return `inconclusive: ${evidence.results.reasons.join('; ')}`
  if (status === 'undecided') return 'the search ended before this attack was decided'
  if (status !== 'open') return undefined
  const { oracle, restraints, basis } = story
  const effects = restraints.map((restraint, number) => ({ restraint, number, effect: oracle.known([number], index) }))
  const costly = effects.filter(({ effect }) => effect?.attack === 'stopped' && !effect.kept)
  if (costly.length > 0) {
    const texts = costly.slice(0, MOST_REASONS).map(({ restraint }) => restraint.text)
    return `every restraint that stops the attack also breaks the task: ${texts.join('; ')}`
  }
  const [alone] = effects.filter(({ effect }) => effect?.attack === 'stopped')
  if (alone !== undefined)
    return `one restraint stops the attack but ${sideEffect(alone.number, story)}: ${alone.restraint.text}`
  return whyNothing(evidence, basis, restraints.length)
}

/** Describes the effect on other attacks that rules out a restraint. */
function sideEffect(restraint: number, { judged, oracle }: Story): string {
  const costs = judged.some((_, attack) => oracle.known([restraint], attack)?.kept === false)
  return costs ? 'breaks the task of another attack' : 'cannot be combined with the restraints that stop other attacks'
}

function whyNothing(evidence: Evidence, basis: Basis, tried: number): string {
  const abused = evidence.calls.filter((call) => isAbuse(evidence, call))
  if (abused.length === 0)
    return 'the attack succeeds through an answer, not a call, and agent files cannot restrict answers'
  const foreign = abused.filter((call) => call.tool !== undefined && !isDeclared(basis, call))
  const [call] = foreign
  if (call !== undefined && foreign.length === abused.length) {
    const owner = call.local ? 'a front-end tool' : `a tool of the server ${call.actor}`
    return `the attack calls ${call.tool}, ${owner}, which the agent file does not declare and cannot restrict`
  }
  return `none of the ${tried} tried restraints stops the attack, alone or combined`
}

function isDeclared(basis: Basis, call: SeenCall): boolean {
  return playedBy(basis, 'mcp_servers', call.actor).length > 0 || localToolsOf(basis, call).length > 0
}
