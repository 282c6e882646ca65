/** The results of a suite. */

import type { Redacted } from '@joust/results'
import {
  type AttackResults,
  attackAssessment,
  createReports,
  decideAttack,
  describeAttack,
  diagnostic,
  knownShapes,
  provenByTrials,
  questionOf,
  RESULTS_VERSION,
  type Redactor,
  type ResultAttack,
  type ResultPreflight,
  type ResultSuite,
  type Results,
  type ResultTarget,
  redactResults,
  redactTrial,
  suiteFingerprint,
  type Trial,
  withCosts,
} from '@joust/results'
import { joustVersion, messageWithHint, splitBlock } from '@joust/source'
import type { AttackArms } from './arms.ts'
import { trialLimits } from './limits.ts'
import type { Agreements, BrokenAttack, SuiteAttack, SuiteJudge, SuiteOptions } from './options.ts'
import type { TrialPlan } from './plan.ts'

interface Finished extends Omit<SuiteOptions, 'preflight' | 'about'> {
  readonly about: ResultTarget
  readonly attacks: readonly SuiteAttack[]
  readonly trials: TrialPlan['trials']
  readonly runsOf: (file: string) => AttackArms
  readonly redactor: Redactor
  readonly startedAt: Date
  readonly judged: Pick<SuiteJudge, 'about' | 'agreements'> | undefined
  readonly preflight: ResultPreflight | undefined
  /** The failed preflight that stopped the suite; `preflight` may be from earlier trials. */
  readonly failed?: ResultPreflight | undefined
  readonly mcpVersion: string | undefined
  readonly exceeded: string | undefined
}

/** Builds the results of a suite, including attacks that were not run. */
export function suiteResults(suite: Finished): Redacted<Results> {
  const { attacks, broken = [], trials, runsOf, redactor, startedAt, judged, preflight, mcpVersion } = suite
  const results = [
    ...attacks.map((attack) => attackResults(attack, runsOf(attack.file), trials, judged?.agreements)),
    ...broken.map(brokenResults),
  ]
  return redactResults(
    {
      version: RESULTS_VERSION,
      joust: joustVersion,
      started_at: startedAt.toISOString(),
      finished_at: new Date().toISOString(),
      suite: { ...suiteTrials(trials), fingerprint: suiteFingerprint(attacks.map(({ attack }) => attack)) },
      ...stoppedBy(suite),
      targets: [
        withCosts({
          ...suite.about,
          ...(judged && { judge: judged.about }),
          ...(preflight && { preflight }),
          ...(mcpVersion && { mcp_version: mcpVersion }),
          attacks: results,
        }),
      ],
    },
    redactor,
  )
}

export function suiteTrials(trials: TrialPlan['trials']): Pick<ResultSuite, 'trials' | 'decide'> {
  return typeof trials === 'number' ? { trials } : { trials: trials.most, decide: questionOf(trials.limit) }
}

function attackResults(
  { file, attack }: SuiteAttack,
  runs: AttackArms,
  trials: TrialPlan['trials'],
  agreements: Agreements | undefined,
) {
  const limit = typeof trials === 'number' ? undefined : trials.limit
  return {
    file,
    fingerprint: attack.fingerprint,
    attack: withAgreement(describeAttack(attack), agreements?.get(file) ?? []),
    ...decideAttack({ ...runs, trials: provenByTrials(runs.trials), limit, id: attack.document.attack.id }),
  }
}

function withAgreement(attack: ResultAttack, agreements: NonNullable<ReturnType<Agreements['get']>>): ResultAttack {
  const figures = new Map(agreements.map(({ indicator, right, of }) => [indicator, { right, of }]))
  const indicators = attack.indicators.map((indicator) => {
    const agreement = figures.get(indicator.id)
    return agreement === undefined ? indicator : { ...indicator, agreement }
  })
  return { ...attack, indicators }
}

/** Creates the inconclusive results of a document that cannot be run. */
function brokenResults({
  file,
  faults,
}: BrokenAttack): Omit<AttackResults, 'placebo_trials'> & { readonly trials: [] } {
  const unknown = attackAssessment([])
  const reports = createReports(undefined, trialLimits.documentFindings)
  for (const fault of faults) reports.add(fault)
  const diagnostics = reports.all()
  return {
    file,
    fingerprint: '',
    attack: { name: file, protocols: [], indicators: [] },
    ...unknown,
    reasons: diagnostics.map(messageWithHint),
    verdict: { ...unknown.verdict, diagnostics },
    trials: [],
  }
}

/** Joins the first lines of all messages, then appends the blocks below these lines. */
function joined(messages: readonly string[]): string {
  const parts = messages.map(splitBlock)
  const blocks = parts.map(([, block]) => block).filter((block) => block !== '')
  return [parts.map(([head]) => head).join('; '), ...blocks].join('\n')
}

function stoppedBy({ exceeded, signal, preflight, failed = preflight }: Finished): Pick<Results, 'stopped'> {
  if (failed?.status === 'failed')
    return { stopped: { reason: 'preflight', message: `the preflight failed: ${joined(failed.reasons)}` } }
  if (exceeded !== undefined) return { stopped: { reason: 'budget', message: exceeded } }
  return signal?.aborted === true ? { stopped: { reason: 'interrupted', message: 'the run was interrupted' } } : {}
}

/** Creates an inconclusive trial for a run without a result. */
export function lostTrial(trial: number, reason: string): Redacted<Trial> {
  const diagnostics = [diagnostic('run-unfinished', reason)]
  const unknown = attackAssessment([])
  const verdict = { ...unknown.verdict, diagnostics }
  const ending = { trace: '', duration_ms: 0, ended: 'failed', actors: [], diagnostics } as const
  return redactTrial({ ...unknown, trial, reasons: [reason], verdict, ...ending }, [], knownShapes())
}

/**
 * Combines the preflights of resumed results. A skipped preflight of earlier trials remains skipped, and a failed
 * preflight of this suite does not affect earlier trials.
 */
export function preflightOfAll(
  now: ResultPreflight | undefined,
  before: readonly ResultPreflight[],
): ResultPreflight | undefined {
  if (now?.status === 'failed') return preflightOfAll(undefined, before) ?? now
  const skipped = before.filter(({ status }) => status === 'skipped').flatMap(({ reasons }) => reasons)
  if (skipped.length === 0) return now ?? before.findLast(({ status }) => status === 'passed')
  const reasons = new Set([...(now?.status === 'skipped' ? now.reasons : []), ...skipped])
  return {
    ...now,
    status: 'skipped',
    reasons: [...reasons].map((reason) => `${reason}${now?.status === 'passed' ? EARLIER : ''}`),
  }
}

const EARLIER = '; this applies to the earlier results'
