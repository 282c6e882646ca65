/** Plays an attack: servers, target, clients, waiting, closing. */
import { within } from '@joust/io'
import type { LoadedAttack } from '@joust/oatf'
import { diagnostic, type EndReason, type RunDiagnostic } from '@joust/results'
import { fingerprint, messageOf, ownList, ownText, writeJson } from '@joust/source'
import type { Cast } from '../actors/cast.ts'
import type { RunContext } from '../actors/context.ts'
import { type EndingWatch, grace, nothingDue, watchEnding, workDone } from '../actors/ending.ts'
import { ArenaError, isTransient } from '../model/errors.ts'
import type { ListedTool, TargetSession } from '../model/target.ts'
import type { Recorded } from '../trace/recorder.ts'
import { askLast, type LastAnswer } from './last-question.ts'

interface Played {
  readonly ended: EndReason
  readonly session?: TargetSession
  readonly last?: LastAnswer
}

/** Plays the attack from opening to closing all connections. */
export async function play(attack: LoadedAttack, run: RunContext, cast: Cast): Promise<Played> {
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
    cast.reportUnreached()
    // The trace ends here; a last question and messages during closing are not part of the attack.
    run.recorder.close()
    if (session === undefined) return { ended }
    return { ended, session, last: ended === 'done' ? await askLast(attack, run, session) : {} }
  } finally {
    watch.end()
    run.recorder.close()
    cast.silence(ended)
    run.stop.abort(new ArenaError('stopped', 'the run has ended'))
    await Promise.all([cast.close(), stopTarget(run, session)])
  }
}

/** Servers, target, clients, the attack, the grace period. Never rejects. */
async function act(
  run: RunContext,
  cast: Cast,
  watch: EndingWatch,
  onSession: (session: TargetSession) => void,
): Promise<EndReason> {
  try {
    if (!(await cast.openServers())) return 'failed'
    const session = await startTarget(run, cast)
    // The run ended meanwhile, so the target is stopped at once.
    if (session !== undefined && watch.over()) await stopTarget(run, session)
    else if (session !== undefined) onSession(session)
    if (watch.over() || !cast.addClients(session)) return 'failed'
    cast.begin()
    // A failure is reported, and rules out the outcome `resisted`.
    const turn = session?.turn?.().catch((thrown) => run.reports.add(targetFailure(thrown)))
    const work = { clients: cast.actors.filter(({ role }) => role === 'client'), turn }
    await workDone(work)
    // At the time limit, waiting ends normally, so that a run of servers alone can be judged.
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
    signal: run.stop.signal,
    ...(run.options.limits?.replyMs !== undefined && { replyMs: run.limits.replyMs }),
  })
  run.tell({ kind: 'target-started', target: target.name, wiring: session.wiring ?? [] })
  return session
}

/** The tools in a listing of a server actor. */
function listedIn({ actor, surface, flow, content }: Recorded): ListedTool[] {
  if (surface !== 'tools/list' || flow !== 'out') return []
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
    reports.add(diagnostic('interrupted', 'the run was interrupted; the trace until then is judged'))
  if (ended === 'expired')
    reports.add(diagnostic('run-expired', `timeout: the run ended after ${limits.runMs / 1000} s`))
}
