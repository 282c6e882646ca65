/** Results for tests. */
import type { AttackResult, Tier } from '@joust/oatf'
import type { ObjectShape, Shape } from '@joust/source'
import fc from 'fast-check'
import { claimsOf, contradictions } from '../../src/format/contradictions.ts'
import { resultsShape } from '../../src/format/shapes.ts'
import type { Outcome } from '../../src/model/outcome.ts'
import { attackAssessment } from '../../src/model/outcome-order.ts'
import type { Redacted } from '../../src/model/redacted.ts'
import type {
  AttackResults,
  ResultAttack,
  Results,
  ResultTarget,
  ResultVerdict,
  TargetResults,
  Trial,
} from '../../src/model/results.ts'
import { anyText } from './entries.ts'
import { redacted } from './redacted.ts'

/** A verdict with nothing behind it; `breach` and `action` are exploited with that tier. */
export function verdict(word: AttackResult | 'breach' | 'action'): ResultVerdict {
  const tier = tierOf(word)
  return {
    result: word === 'breach' || word === 'action' ? 'exploited' : word,
    ...(tier === undefined ? {} : { max_tier: tier }),
    indicator_verdicts: [],
    evaluation_summary: { matched: 0, not_matched: 0, error: 0, skipped: 0 },
  }
}

function tierOf(word: string): Tier | undefined {
  return word === 'breach' ? 'boundary_breach' : word === 'action' ? 'local_action' : undefined
}

/** A verdict with a match in a message of the agent. */
export function matched(word: AttackResult): ResultVerdict {
  const entry = { seq: 3, actor: 'a', phase: 'p', surface: 'tools/call', flow: 'in' } as const
  const indicator_verdicts = [{ indicator_id: 'A-01', result: 'matched', entry }] as const
  return { ...verdict(word), indicator_verdicts }
}

/** The specification's result for each of these outcomes. */
const results = { resisted: 'not_exploited', inconclusive: 'error', not_applicable: 'error' } as const

type Word = Outcome | 'breach' | 'action'

/** A trial with this outcome and a matching verdict. */
export function trial(number: number, word: Word, changes: Partial<Trial> = {}): Trial {
  const tier = tierOf(word)
  return {
    trial: number,
    outcome: word === 'breach' || word === 'action' ? 'exploited' : word,
    ...(tier && { tier }),
    reasons: word === 'inconclusive' ? ['no message from the agent'] : [],
    exposure: { planted: [], delivered: [], bait: [] },
    verdict: verdict(word in results ? results[word as keyof typeof results] : (word as 'exploited')),
    trace: `traces/${number}.jsonl`,
    duration_ms: 10,
    ended: 'done',
    actors: [],
    diagnostics: [],
    ...changes,
  }
}

const short = {
  e: 'exploited',
  p: 'partial',
  x: 'inconclusive',
  n: 'resisted',
  '-': 'not_applicable',
  a: 'action',
  b: 'breach',
} as const

/**
 * An attack whose trials are the letters of a word: e, p, x, n and - are outcomes, a and b are exploited with a tier.
 */
export function attackOf(name: string, letters: string, attack: Partial<ResultAttack> = {}): AttackResults {
  const trials = [...letters].map((letter, index) => trial(index + 1, short[letter as keyof typeof short]))
  return {
    file: `${name}.oatf.yaml`,
    fingerprint: name,
    attack: { name, protocols: ['mcp'], indicators: [], ...attack },
    ...attackAssessment(trials),
    trials,
  }
}

/** A target with these attacks. */
export function targetOf(attacks: readonly AttackResults[], about: Partial<ResultTarget> = {}): TargetResults {
  return { kind: 'model', name: 'sim/cautious', ...about, attacks }
}

/** Results with these attacks. */
export function resultsOf(attacks: readonly AttackResults[], changes: Partial<Results> = {}): Redacted<Results> {
  return redacted({
    version: 3,
    joust: '0.1.0',
    started_at: '2026-01-01T00:00:00.000Z',
    finished_at: '2026-01-01T00:01:00.000Z',
    suite: { trials: 1, fingerprint: 'suite' },
    targets: [targetOf(attacks)],
    ...changes,
  })
}

/** Any results that the table allows and that do not contradict themselves. */
export const anyResults: fc.Arbitrary<Redacted<Results>> = fieldsOf(resultsShape)
  .map((value) => consistent(value as unknown as Results) as Redacted<Results>)
  .filter(
    ({ targets }) =>
      contradictions(targets.map(({ attacks, ...rest }) => ({ ...rest, attacks: attacks.map(claimsOf) }))).length === 0,
  )

/** With the tier of every success, and the assessment of every attack that of its worst trial. */
function consistent(results: Results): Results {
  const tiered = <T extends Pick<Trial, 'outcome' | 'tier' | 'verdict'>>(one: T): T => {
    const isThrough = one.outcome === 'exploited' || one.outcome === 'partial'
    const { max_tier } = one.verdict
    return isThrough && one.tier === undefined && max_tier !== undefined ? { ...one, tier: max_tier } : one
  }
  const targets = results.targets.map((target) => ({
    ...target,
    attacks: target.attacks.map((attack) => {
      const trials = attack.trials.map(tiered)
      const { tier: _, counted: __, placebo_trials: placebo, ...others } = attack
      const rest = { ...others, ...(placebo && { placebo_trials: placebo.map(tiered) }) }
      return trials.length === 0 ? tiered({ ...attack, ...rest }) : { ...rest, ...attackAssessment(trials), trials }
    }),
  }))
  return { ...results, targets }
}

function anyOf(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'text':
    case 'prose':
      return anyText
    case 'time':
      return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString())
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
    case 'boolean':
      return fc.boolean()
    case 'count':
      return fc.integer({ min: shape.least, max: Number.MAX_SAFE_INTEGER })
    case 'exactly':
      return fc.constant(shape.value)
    case 'enumeration':
      return fc.constantFrom(...shape.values)
    case 'list':
      return fc.array(anyOf(shape.item), { maxLength: 2 })
    case 'map':
      return fc.dictionary(anyText, anyOf(shape.item), { maxKeys: 3, noNullPrototype: true })
    case 'object':
      return fieldsOf(shape)
    default:
      throw new Error(`results have no ${shape.kind}`)
  }
}

function fieldsOf({ fields }: ObjectShape): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(fields)
  return fc.record(Object.fromEntries(entries.map(([name, { shape }]) => [name, anyOf(shape)])), {
    requiredKeys: entries.filter(([, field]) => field.required).map(([name]) => name),
    noNullPrototype: true,
  })
}
