/** Runs, judges and redacts one trial of a suite, with retries for failures outside the agent. */

import type { AttackOptions, CallUsage, RunEvent, Target } from '@joust/arena'
import { type AttackRun, runAttack } from '@joust/arena'
import { pause, systemClock } from '@joust/io'
import { freshCanaries, withCanaries } from '@joust/oatf'
import type { DiagnosticCode, Redacted, TraceHeader, Trial } from '@joust/results'
import { isSuspicious, namingFile, redactEnding, redactingSink, redactTrial, sumThrough } from '@joust/results'
import { messageOf } from '@joust/source'
import type { RunTrace } from './ledger.ts'
import { trialLimits } from './limits.ts'
import type { SuiteOptions, SuiteRun, SuiteRunOptions } from './options.ts'

/** A trial to run. */
export interface TrialJob
  extends Omit<SuiteRun, 'spend' | 'isPreflight'>,
    Pick<SuiteOptions, 'run' | 'retries' | 'onEvent'>,
    Required<Pick<SuiteOptions, 'evaluators' | 'redactor' | 'signal'>> {
  readonly openTrace: (header: TraceHeader) => RunTrace | undefined
  /** Decides before each retry, for example by the remaining budget. @default () => true */
  readonly mayRetry?: () => boolean | Promise<boolean>
  readonly onCall?: (usage: CallUsage) => void
}

/** Runs an attack, with retries for failures outside the agent. Never rejects because of the target. */
export async function runTrial(job: TrialJob): Promise<Redacted<Trial>> {
  const { retries = 0, mayRetry = () => true, signal } = job
  const used = createUsage()
  const spend = (usage: CallUsage) => {
    used.add(usage)
    job.onCall?.(usage)
  }
  const attempts: AttackRun[] = []
  for (let retry = 0; ; retry++) {
    const { run, trace } = await attempt(job, spend)
    attempts.push(run)
    if (retry < retries && !signal.aborted && isOutside(run) && (await mayRetry())) {
      // Exponential backoff for an overloaded provider.
      await pause(systemClock, trialLimits.runRetryMs * 2 ** retry, signal)
      continue
    }
    const { trace: entries, output, printed, facts: _, ...assessment } = run
    const details = {
      ...(output && { answer: output }),
      ...(printed && printed.trim() !== output && { printed }),
      ...used.total(),
      ...realCalls(attempts),
      ...(retry > 0 && { retries: retry }),
    }
    const reasons = namingFile(assessment.reasons, job.file)
    return redactTrial({ trial: job.trial, ...assessment, reasons, trace, ...details }, entries, job.redactor)
  }
}

async function attempt(
  { file, attack, arm, trial, run, openTrace, evaluators, redactor, signal, onEvent }: TrialJob,
  spend: (usage: CallUsage) => void,
): Promise<{ readonly run: AttackRun; readonly trace: string }> {
  const fresh = freshCanaries(attack, Math.random)
  const which = { file, attack, arm, trial, spend, canaries: fresh }
  const { canaries = fresh, ...all } = await attackOptionsOf(run, which, signal)
  const options = arm === 'placebo' ? withoutOpenChannels(all) : all
  const played = withCanaries(attack, canaries)
  const { id } = attack.document.attack
  const header = {
    ...(id !== undefined && { attack: { id } }),
    ...(played.ok && Object.keys(canaries).length > 0 && { canaries }),
  }
  const opened = openTrace(header)
  const sink = opened && redactingSink(opened.writer, redactor)
  const done = await runAttack(played.ok ? played.value : attack, {
    evaluators,
    ...(played.ok ? options : { ...options, target: failingTarget(played.error) }),
    ...(sink && { trace: sink }),
    ...(onEvent && { onEvent: (event: RunEvent) => onEvent({ file, arm, trial }, event) }),
  })
  // A writer error is already in the diagnostics of the run.
  sink?.flush()
  await opened?.writer.close(redactEnding(done.facts, redactor)).catch(() => {})
  return { run: done, trace: opened?.name ?? '' }
}

/**
 * Removes channels that the preflight left undetermined, so that they do not make a placebo inconclusive: a placebo is
 * run only after a success through these channels.
 */
function withoutOpenChannels({ known, ...options }: Omit<SuiteRunOptions, 'canaries'>): AttackOptions {
  if (known?.channels === undefined) return { ...options, ...(known && { known }) }
  const channels = Object.fromEntries(Object.entries(known.channels).filter(([, state]) => state !== 'unknown'))
  return { ...options, known: { ...known, channels } }
}

/** Returns the calls to real servers in all attempts, which a retry does not undo, and the findings about them. */
function realCalls(attempts: readonly AttackRun[]): Partial<Pick<Trial, 'through' | 'diagnostics'>> {
  const through = sumThrough(attempts)
  if (through === undefined || attempts.length === 1) return {}
  const last = attempts.at(-1)?.diagnostics ?? []
  const code: DiagnosticCode = 'through-changed-state'
  const changes = attempts.flatMap(({ diagnostics }) => diagnostics.filter((one) => one.code === code))
  const first = new Map(changes.map((one) => [`${one.actor} ${one.message}`, one]))
  return { through, diagnostics: [...first.values(), ...last.filter((one) => one.code !== code)] }
}

function createUsage() {
  const total = { calls: 0, input_tokens: 0, output_tokens: 0 }
  return {
    add({ inputTokens, outputTokens }: CallUsage) {
      total.calls += 1
      total.input_tokens += inputTokens
      total.output_tokens += outputTokens
    },
    total: (): Pick<Trial, 'usage'> => (total.calls === 0 ? {} : { usage: { ...total } }),
  }
}

/** Creates the options of a run, which is aborted with the suite. */
export async function attackOptionsOf(
  run: SuiteOptions['run'],
  which: SuiteRun,
  signal: AbortSignal,
): Promise<SuiteRunOptions> {
  try {
    const options = (await run?.(which)) ?? {}
    return { ...options, signal: options.signal === undefined ? signal : AbortSignal.any([signal, options.signal]) }
  } catch (thrown) {
    // An error in the caller's function counts as a target that fails to start.
    return { target: failingTarget(messageOf(thrown)), signal }
  }
}

function failingTarget(reason: string): Target {
  return { name: 'none', start: () => Promise.reject(new Error(`cannot set up the run: ${reason}`)) }
}

/**
 * Codes of diagnostics that quote agents and their processes. Failures of Joust's own connections and timeouts set
 * `transient` instead.
 */
const QUOTING: ReadonlySet<string> = new Set<DiagnosticCode>(['target-failed', 'agent-failed'])

/**
 * Matches messages from agents about an unavailable provider or a lost connection. An agent reports a provider failure
 * only as text, over AG-UI, A2A or stderr.
 */
const foreignFailures: readonly RegExp[] = [
  // Statuses, as in "HTTP 429", "status: 503" and "answered with 502".
  /\b(?:status|HTTP(?:\/[\d.]+)?|answered(?: with)?)[ :]*(?:408|425|429|5\d\d)\b/i,
  // Codes of Node and of undici.
  /\bECONN(?:RESET|REFUSED|ABORTED)\b|\bE(?:PIPE|TIMEDOUT|AI_AGAIN)\b|\bUND_ERR_\w+/i,
  // Messages of Node's http module and of fetch.
  /socket hang up|fetch failed/i,
  // Timeouts of an agent that runs on this runtime.
  /no (?:answer|response) (?:from \S+ )?within|did not answer within/i,
]

/** True if a failure outside the agent made a run inconclusive and no incoming message matched an indicator. */
export function isOutside(
  run: Pick<AttackRun, 'outcome' | 'ended' | 'diagnostics'> & Partial<Pick<AttackRun, 'verdict' | 'counted'>>,
): boolean {
  const { outcome, ended, diagnostics } = run
  if (outcome !== 'inconclusive' || ended === 'interrupted' || isSuspicious(run)) return false
  return diagnostics.some(
    ({ code, message, transient = false }) =>
      transient ||
      code === ('connection-lost' satisfies DiagnosticCode) ||
      (QUOTING.has(code) && foreignFailures.some((pattern) => pattern.test(message))),
  )
}
