/** Runs an attack: document → actors → drivers → trace → judge → verdict. */

import { within } from '@joust/io'
import { type CelEvaluator, createCelEvaluator, isReplacement, type LoadedAttack, requireLoaded } from '@joust/oatf'
import type { ActorOutcome, EndReason, RunFacts, ThroughCall, TraceEntry } from '@joust/results'
import { diagnostic, type RunDiagnostic, revocationOf } from '@joust/results'
import { defined, fingerprint, messageOf, ownList, ownText, writeJson } from '@joust/source'
import { Cast } from './actors/cast.ts'
import { createContext, type RunContext } from './actors/context.ts'
import { type EndingWatch, grace, nothingDue, watchEnding } from './actors/ending.ts'
import { isWired } from './actors/wire.ts'
import { type Assessed, createAssessor, executionFingerprint } from './judge/assess.ts'
import type { JudgeOptions } from './judge/judge.ts'
import { failedAnswer, printedError, watchAnswers } from './judge/untested.ts'
import { askLast, type LastAnswer, type Report, reportOf } from './last-question.ts'
import { ArenaError, isTransient } from './model/errors.ts'
import { arenaLimits } from './model/limits.ts'
import { needsOf } from './model/needs.ts'
import type { AttackOptions } from './model/options.ts'
import type { ListedTool, TargetSession } from './model/target.ts'
import { filesFor, inspectFolder, recordApp, recordFiles } from './observed.ts'
import { modelCallsOf } from './trace/model-entries.ts'
import type { Recorded } from './trace/recorder.ts'

/** The result of a run. */
export interface AttackRun extends Assessed, Report {
  readonly trace: readonly TraceEntry[]
  readonly actors: readonly ActorOutcome[]
  readonly diagnostics: readonly RunDiagnostic[]
  readonly duration_ms: number
  readonly ended: EndReason
  /** Facts that messages do not show; the last line of a trace file. */
  readonly facts: RunFacts
  /** True for self-play, which has no agent. */
  readonly self_play?: true
  /** Calls to tools of real servers; absent if `through` is not set. */
  readonly through?: readonly ThroughCall[]
  /** The answer to `lastQuestion`; absent if no question was asked. */
  readonly last_answer?: string
}

/**
 * Runs an attack once and judges the trace. Failures are diagnostics and make the outcome `inconclusive`, unless the
 * agent was exploited. Rejects only if the attack is not loaded.
 *
 * @example
 * const { outcome, reasons } = await runAttack(attack, { target, limits: { runMs: 60_000 } })
 */
export async function runAttack(attack: LoadedAttack, options: AttackOptions = {}): Promise<AttackRun> {
  requireLoaded(attack, 'runAttack')
  const run = createContext(attack.document, options)
  const cast = new Cast(run)
  const lacking = options.target?.lacks?.(needsOf(attack, (actor) => isWired(actor, options))) ?? []
  if (lacking.length > 0) return notApplicable(attack, lacking)
  // Values that peers reject are reported, whether they were replaced or sent as written.
  for (const warning of attack.warnings) if (isReplacement(warning)) run.reports.add(warning)
  const { ended, session, last = {} } = await play(attack, run, cast)
  const { calls, missed } = observe(run, session, last.word)
  run.tell({ type: 'run-ended', reason: ended })
  const fault = options.trace?.fault()
  if (fault !== undefined) run.reports.add(diagnostic('trace-failed', fault.message))
  const assessor = createAssessor(attack, evaluatorsOf(attack, run))
  for (const entry of run.recorder.entries) await assessor.add(entry)
  for (const { entry, request } of calls) assessor.observe(entry, request)
  const actors = cast.outcomes()
  const diagnostics = run.reports.all()
  const selfPlay = options.wire !== undefined && options.target === undefined
  const facts: RunFacts = defined({
    ended,
    actors: actors.map(({ name, mode, status, unreached, phases }) =>
      defined({ name, mode, status, unreached, phases: phases.map(({ phase }) => phase) }),
    ),
    diagnostics: diagnostics.filter(isFact).map(({ code, message, actor }) => defined({ code, message, actor })),
    refusals: session?.refusals?.(),
    self_play: selfPlay ? selfPlay : undefined,
    played: executionFingerprint(attack.document),
    model: session?.observation && { calls: calls.length, missed, ...assessor.read(options.known) },
    known: options.known,
    postflight: last.postflight,
    related: last.related,
  })
  const assessed = await assessor.finish(facts)
  return {
    ...assessed,
    trace: run.recorder.entries,
    actors,
    diagnostics,
    duration_ms: run.clock.now() - run.startedAt,
    ended,
    facts: { ...facts, sent: assessor.sent() },
    ...(last.report ?? reportOf(session, run.recorder.entries)),
    ...(selfPlay ? { self_play: selfPlay } : {}),
    ...defined({ through: options.through && cast.throughCalls(), last_answer: last.answer }),
  }
}

/**
 * Writes the model calls to the trace, except postflight calls, which may be the first that contain the bait. Unless
 * all calls were observed, the agent's answers are checked for errors.
 */
function observe(run: RunContext, session: TargetSession | undefined, word: string | undefined) {
  const calls = modelCallsOf(session?.observation, run.startedAt, word)
  const missed = session?.observation?.missed() ?? 0
  if (calls.length === 0 || missed > 0)
    for (const message of failedAnswers(run, session)) run.reports.add(diagnostic('agent-failed', message))
  const { trace } = run.options
  for (const { entry } of calls.slice(0, arenaLimits.modelEntries)) trace?.writeModel?.(entry)
  return { calls, missed }
}

function evaluatorsOf(attack: LoadedAttack, { clock, options }: RunContext): JudgeOptions {
  return {
    cel: options.evaluators?.cel ?? celOf(attack),
    now: () => clock.now(),
    clock,
    ...(options.signal && { signal: options.signal }),
    ...(options.target?.prompt !== undefined && { userTexts: [options.target.prompt] }),
    ...options.evaluators,
  }
}

/** True for a diagnostic that may affect the outcome. */
function isFact({ code }: RunDiagnostic): boolean {
  return revocationOf(code) !== 'never' || code === 'agent-refused'
}

/** The expressions of an attack are compiled only once. */
const celEvaluators = new WeakMap<LoadedAttack, CelEvaluator>()

function celOf(attack: LoadedAttack): CelEvaluator {
  const cel = celEvaluators.get(attack) ?? createCelEvaluator()
  celEvaluators.set(attack, cel)
  return cel
}

async function notApplicable(attack: LoadedAttack, lacking: readonly string[]): Promise<AttackRun> {
  const nothing = { trace: [], actors: [], diagnostics: [], duration_ms: 0, ended: 'failed' as const }
  return { ...(await createAssessor(attack).finish({ lacking })), ...nothing, facts: { ended: nothing.ended } }
}

interface Played {
  readonly ended: EndReason
  readonly session?: TargetSession
  readonly last?: LastAnswer
}

async function play(attack: LoadedAttack, run: RunContext, cast: Cast): Promise<Played> {
  const watch = watchEnding(run)
  let session: TargetSession | undefined
  let ended: EndReason = 'failed'
  try {
    ended = await watch.until(
      act(run, cast, watch, (started) => {
        session = started
      }),
    )
    reportEnding(run, ended)
    if (run.reports.all().some(({ severity }) => severity === 'error')) await session?.settle?.()
    for (const note of session?.notes?.() ?? []) run.reports.add(note)
    for (const fault of session?.faults?.() ?? []) run.reports.add(diagnostic('target-failed', fault))
    await inspectFolder(run, session)
    cast.reportUnreached()
    // The trace ends here. A last question and messages during closing are not part of the attack.
    run.recorder.close()
    if (session === undefined) return { ended }
    const probes = cast.actors.flatMap(({ probe }) => probe ?? [])
    const options = evaluatorsOf(attack, run)
    return { ended, session, last: ended === 'done' ? await askLast(attack, run, session, { probes, options }) : {} }
  } finally {
    watch.end()
    run.recorder.close()
    cast.silence(ended)
    run.stop.abort(new ArenaError('stopped', 'the run has ended'))
    await Promise.all([cast.close(), stopTarget(run, session)])
  }
}

/** Describes errors of the target's model: answers that are only an error, and a final error on standard error. */
function failedAnswers({ recorder }: RunContext, session: TargetSession | undefined): readonly string[] {
  const answers = watchAnswers()
  for (const entry of recorder.entries) answers.take(entry)
  const { text = '', at = 0 } = session?.lastError?.() ?? {}
  const isLast = !recorder.entries.some((entry) => isRequest(entry) && Date.parse(entry.at) > at)
  const printed = isLast ? printedError(text) : undefined
  const reported = failedAnswer(session?.output?.() ?? '')
  return [...answers.signs(), ...[reported, printed].filter((message) => message !== undefined)]
}

function isRequest({ flow, mode }: TraceEntry): boolean {
  return mode.endsWith(flow === 'in' ? '_server' : '_client')
}

/** Starts servers, target and clients in this order. Never rejects. */
async function act(
  run: RunContext,
  cast: Cast,
  watch: EndingWatch,
  onSession: (session: TargetSession) => void,
): Promise<EndReason> {
  try {
    if (!(await cast.openServers())) return 'failed'
    const session = await startTarget(run, cast)
    // The run has ended meanwhile.
    if (session !== undefined && watch.over()) await stopTarget(run, session)
    else if (session !== undefined) onSession(session)
    if (watch.over() || !cast.addClients(session)) return 'failed'
    cast.begin()
    // A failure is reported, and rules out the outcome `resisted`.
    const turn = session?.turn?.().catch((thrown) => run.reports.add(targetFailure(thrown)))
    const work = { clients: cast.actors.filter(({ role }) => role === 'client'), turn }
    await Promise.all([...work.clients.map(({ finished }) => finished), turn])
    // At the time limit, waiting ends normally, so that a run with only servers can be judged.
    const isLate = watch.patience().then(() => true)
    const expired = await Promise.race([nothingDue(run, cast.actors, work).then(() => false), isLate])
    run.recorder.release()
    if (expired && !run.recorder.entries.some(({ flow }) => flow === 'in')) return 'expired'
    await grace(run)
    return 'done'
  } catch (thrown) {
    run.reports.add(targetFailure(thrown))
    return 'failed'
  }
}

function targetFailure(thrown: unknown): RunDiagnostic {
  return diagnostic('target-failed', messageOf(thrown), undefined, isTransient(thrown) ? { transient: true } : {})
}

async function startTarget(run: RunContext, cast: Cast): Promise<TargetSession | undefined> {
  const { target } = run.options
  if (target === undefined) return undefined
  const session = await target.start({
    beginServers: () => cast.beginServers(),
    textsOfAttack: () => fingerprint(writeJson(run.document)),
    servers: cast.servers(),
    clients: cast.clients(),
    hasListed: (name) =>
      run.recorder
        .seen()
        .some(({ actor, surface, flow }) => actor === name && surface === 'tools/list' && flow === 'in'),
    listedTools: () => run.recorder.seen().flatMap(listedIn),
    ...defined({ files: filesFor(run) }),
    recordApp: (event) => recordApp(run, event),
    signal: run.stop.signal,
    ...(run.options.limits?.replyMs !== undefined && { replyMs: run.limits.replyMs }),
  })
  recordFiles(run)
  run.tell({ type: 'target-started', target: target.name, wiring: session.wiring ?? [] })
  return session
}

function listedIn({ actor, surface, flow, content }: Recorded): ListedTool[] {
  if (flow !== 'out' || (surface !== 'tools/list' && surface !== 'run_agent_input')) return []
  return ownList(content, 'tools').flatMap((tool) => {
    const name = ownText(tool, 'name')
    return name === undefined ? [] : [{ actor, name, description: ownText(tool, 'description') ?? '' }]
  })
}

async function stopTarget({ clock, limits }: RunContext, session: TargetSession | undefined): Promise<void> {
  if (session === undefined) return
  const stopped = session.stop().catch(() => {})
  await within(clock, limits.closeMs, stopped, undefined, () => {})
}

function reportEnding({ reports, limits }: RunContext, ended: EndReason): void {
  if (ended === 'interrupted')
    reports.add(diagnostic('interrupted', 'the run was interrupted; the trace up to that point is judged'))
  if (ended === 'expired')
    reports.add(diagnostic('run-expired', `timeout: the run ended after ${limits.runMs / 1000} s`))
}
