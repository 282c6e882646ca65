/** The results of a suite. */
import { messageWithHint } from '@joust/source'
import { createReports, diagnostic } from '../model/diagnostics.ts'
import { arenaLimits } from '../model/limits.ts'
import type { Redacted } from '../model/redacted.ts'
import { describeAttack, suiteFingerprint } from '../results/describe-attack.ts'
import {
  type AttackResults,
  RESULTS_VERSION,
  type ResultAttack,
  type ResultControl,
  type Results,
  type Trial,
} from '../results/model.ts'
import { attackAssessment } from '../results/outcome-order.ts'
import { redactResults, redactTrial } from '../results/redact.ts'
import { knownShapes, type Redactor } from '../results/redactor.ts'
import type { Agreements, BrokenAttack, SuiteAttack, SuiteJudge, SuiteOptions } from './options.ts'

interface Finished extends SuiteOptions {
  readonly attacks: readonly SuiteAttack[]
  readonly trials: number
  readonly done: ReadonlyMap<string, readonly Redacted<Trial>[]>
  readonly redactor: Redactor
  readonly startedAt: Date
  readonly judged: Pick<SuiteJudge, 'about' | 'agreements'> | undefined
  readonly control: ResultControl | undefined
  /** The control that stopped the suite; `control` may be that of earlier trials. */
  readonly failed?: ResultControl | undefined
  readonly mcpVersion: string | undefined
  /** Which budget stopped the suite. */
  readonly exceeded: string | undefined
}

/** Everything that was run, and what was not. */
export function suiteResults(suite: Finished): Redacted<Results> {
  const { attacks, broken = [], trials, done, redactor, startedAt, judged, control, mcpVersion } = suite
  const results = [
    ...attacks.map((attack) => attackResults(attack, done.get(attack.file) ?? [], judged?.agreements)),
    ...broken.map(brokenResults),
  ]
  return redactResults(
    {
      version: RESULTS_VERSION,
      joust: JOUST_VERSION,
      started_at: startedAt.toISOString(),
      finished_at: new Date().toISOString(),
      suite: { trials, fingerprint: suiteFingerprint(attacks.map(({ attack }) => attack)) },
      ...stoppedBy(suite),
      targets: [
        {
          ...(suite.about ?? { kind: 'none', name: 'whoever connects' }),
          ...(judged && { judge: judged.about }),
          ...(control && { control }),
          ...(mcpVersion && { mcp_version: mcpVersion }),
          attacks: results,
        },
      ],
    },
    redactor,
  )
}

function attackResults(
  { file, attack }: SuiteAttack,
  trials: readonly Redacted<Trial>[],
  agreements: Agreements | undefined,
): AttackResults & { readonly trials: readonly Redacted<Trial>[] } {
  const sorted = [...trials].sort((a, b) => a.trial - b.trial)
  return {
    file,
    fingerprint: attack.fingerprint,
    attack: withAgreement(describeAttack(attack), agreements?.get(file) ?? []),
    ...attackAssessment(sorted, attack.document.attack.id),
    trials: sorted,
  }
}

/** Adds the agreement to each indicator that has one. */
function withAgreement(attack: ResultAttack, agreements: NonNullable<ReturnType<Agreements['get']>>): ResultAttack {
  const figures = new Map(agreements.map(({ indicator, right, of }) => [indicator, { right, of }]))
  const indicators = attack.indicators.map((indicator) => {
    const agreement = figures.get(indicator.id)
    return agreement === undefined ? indicator : { ...indicator, agreement }
  })
  return { ...attack, indicators }
}

/** A document that cannot be run says nothing about the agent, and the results say so. */
function brokenResults({ file, faults }: BrokenAttack): AttackResults & { readonly trials: readonly [] } {
  const unknown = attackAssessment([])
  const reports = createReports(undefined, arenaLimits.documentFindings)
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

function stoppedBy({ exceeded, signal, control, failed = control }: Finished): Pick<Results, 'stopped'> {
  if (failed?.status === 'failed')
    return { stopped: { reason: 'control', message: `the control failed: ${failed.reasons.join('; ')}` } }
  if (exceeded !== undefined) return { stopped: { reason: 'budget', message: exceeded } }
  return signal?.aborted === true ? { stopped: { reason: 'interrupted', message: 'the run was interrupted' } } : {}
}

/** The version of this tool in the results. */
const JOUST_VERSION = '0.1.0'

/** A trial about which nothing can be said, and why. */
export function lostTrial(trial: number, reason: string): Redacted<Trial> {
  const diagnostics = [diagnostic('run-unfinished', reason)]
  const unknown = attackAssessment([])
  const verdict = { ...unknown.verdict, diagnostics }
  const ending = { trace: '', duration_ms: 0, ended: 'failed', actors: [], diagnostics } as const
  return redactTrial({ ...unknown, trial, reasons: [reason], verdict, ...ending }, [], knownShapes())
}
