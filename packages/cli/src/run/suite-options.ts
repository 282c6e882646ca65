/** Converts the options of `joust run` to suite options. */
import type { Prover } from '@joust/adaptive/prover'
import type { Agent } from '@joust/agentformat'
import type { AttackOptions } from '@joust/arena'
import type { ModelCall } from '@joust/models'
import type { Redactor } from '@joust/results'
import type { RunEvent as AgentEvent } from '@joust/runtime'
import { defined } from '@joust/source'
import { type SuiteOptions, type SuiteRun, type TrialPlan, trialLimits } from '@joust/trials'
import type { RunOptions } from '../options/run.ts'
import { obedientModel } from '../target/model-access.ts'
import { type Recordings, transportOf } from '../target/recordings.ts'
import type { TargetPlan } from '../target/target-plan.ts'

/** Suite options, in which those that the command always sets are required. */
export type CommandSuite = SuiteOptions &
  Required<Pick<SuiteOptions, 'run' | 'trials' | 'arms' | 'concurrency' | 'budget' | 'redactor'>> &
  Pick<RunOptions, 'allowUnproven'> & { readonly prover: Prover }

export function suiteOptions(
  options: RunOptions,
  target: TargetPlan,
  redactor: Redactor,
  prover: Prover,
  recordings?: Recordings,
): CommandSuite {
  const { retries, strict, allowUnproven, concurrency = trialLimits.concurrency } = options
  const { budgetTokens: tokens, budgetCalls: calls, budgetTime: milliseconds } = options
  return {
    about: target.about,
    run: runsOf(options, target, recordings),
    ...planOf(options, target),
    strict,
    retries,
    concurrency,
    budget: defined({ tokens, calls, milliseconds }),
    redactor,
    prover,
    allowUnproven,
    ...defined({ skipPreflight: preflightSkipped(options) }),
  }
}

function planOf({ trials, maxTrials, decide, arms }: RunOptions, target: TargetPlan): TrialPlan {
  return {
    trials: trials === 'auto' ? { limit: decide ?? LIMIT, most: maxTrials ?? MOST_TRIALS } : trials,
    arms: arms ?? defaultArms(target),
  }
}

/** The default of `--decide`: 22 runs without a success decide the question. */
const LIMIT = 0.15
const MOST_TRIALS = 25

/**
 * Returns the default of `--arms`: none for self-play, which has no agent. Simulated models are known to act only on
 * the bait, unless the document is unspecific.
 */
function defaultArms({ about: { kind, name, details }, models = [] }: TargetPlan): TrialPlan['arms'] {
  if (kind === 'self-play' || kind === 'none') return 'none'
  // A target from the project file has its own name; its model is in the details.
  const model = details?.model ?? (kind === 'model' ? name : undefined)
  const used = model === undefined ? models : [model]
  return used.length > 0 && used.every((one) => one.startsWith('sim/')) ? 'unspecific' : 'placebo'
}

function preflightSkipped({ noPreflight, replay }: RunOptions): string | undefined {
  if (noPreflight) return 'disabled by --no-preflight: whether the agent answers and can use tools was not checked'
  return replay === undefined ? undefined : 'a replay calls no model'
}

/** A changed agent to attack in place of the agent file, and a listener for the events of that agent. */
interface ChangedAgent {
  readonly agent?: Agent
  readonly onAgentEvent?: (run: Pick<SuiteRun, 'file' | 'trial'>, event: AgentEvent) => void
}

export function runsOf(
  { allowHost: allowHosts, maxDuration: runMs, replyTimeout: replyMs, observe: observeMs, grace: graceMs }: RunOptions,
  target: TargetPlan,
  recordings: Recordings | undefined,
  { agent, onAgentEvent }: ChangedAgent = {},
): NonNullable<SuiteOptions['run']> {
  const limits = defined({ runMs, phaseMs: runMs, replyMs, observeMs, graceMs })
  return async ({ file, attack, arm, trial, spend, canaries, isPreflight }) => {
    if (arm === 'sensitivity') return { ...(await withObedientModel(target)), allowHosts, limits }
    const onEvent = (event: AgentEvent) => {
      if (event.type === 'model-answered') spend(event.usage)
      // A failed call also counts, although its tokens are unknown.
      if (event.type === 'model-failed') spend({ inputTokens: 0, outputTokens: 0 })
      onAgentEvent?.({ file, trial }, event)
    }
    const onCall = ({ wire, usage: { input = 0, output = 0 } = {} }: ModelCall) => {
      if (wire !== 'other') spend({ inputTokens: input, outputTokens: output })
    }
    const recording = isPreflight ? undefined : recordings?.open({ file, attack, arm, trial, ...defined({ canaries }) })
    const runtime = { onEvent, ...(recording && { modelTransport: transportOf(recording) }) }
    const { through, ...createdTarget } = await target.make(runtime, recording, agent, { onCall })
    // The preflight uses its own server.
    const real = isPreflight || through === undefined ? {} : { through }
    return { ...createdTarget, ...real, allowHosts, limits, ...(recording && { canaries: recording.canaries }) }
  }
}

/**
 * Replaces the model of the target with the obedient model. Calls to that model cost nothing, so they are neither
 * counted nor recorded.
 */
async function withObedientModel(target: TargetPlan): Promise<AttackOptions> {
  if (target.replacesModel !== true) {
    const lacks = () => [['endpoint', 'http', 'none'].includes(target.about.kind) ? UNREPLACED : NO_MODEL]
    return { target: { name: target.about.name, lacks, start: () => Promise.reject(new Error(NO_MODEL)) } }
  }
  return target.make({}, undefined, undefined, await obedientModel())
}

const NO_MODEL = 'this target has no model that sim/credulous could replace'
const UNREPLACED =
  'the model of this target cannot be replaced, because its calls do not pass through the model proxy (--model-listen, or {model_url} in the request)'
