/** All actors of a run. */

import { within } from '@joust/io'
import { type Actor, ADDRESS, findMode, HEADERS } from '@joust/oatf'
import { type ActorOutcome, type DiagnosticCode, diagnostic, type EndReason, type ThroughCall } from '@joust/results'
import { isRecord, kindOf, messageOf, own, type Suggestion, suggest, suggestion, writeJson } from '@joust/source'
import type { DriverContext } from '../drivers/driver.ts'
import { type DriverRow, findDriver } from '../drivers/table.ts'
import { ArenaError, isTransient } from '../model/errors.ts'
import type { ClientActor, ServerActor, TargetSession } from '../model/target.ts'
import type { RealServer, RealSide } from '../model/through.ts'
import type { ClientEnd } from '../model/wiring.ts'
import { assignServers } from '../through/assign.ts'
import { createRealSide } from '../through/real-side.ts'
import { createHttpSend } from '../transport/http-client.ts'
import { type ActorOptions, RunningActor } from './actor.ts'
import type { RunContext } from './context.ts'
import { type CapturedValues, createCapturedValues } from './stage.ts'
import { clientEnd, isAllowedHost, isConnected, isNamedHost, serverEnd } from './wire.ts'

/** An actor of the document; `row` is undefined if its mode is unknown. */
interface Part {
  readonly actor: Actor
  readonly path: string
  readonly row: DriverRow | undefined
  readonly real: RealServer | undefined
}

const reportedOnClose: ReadonlySet<DiagnosticCode> = new Set(['not-delivered', 'answer-undelivered'])

export class Cast {
  readonly #run: RunContext
  readonly #parts: readonly Part[]
  readonly #values: CapturedValues
  readonly #running = new Map<string, RunningActor>()
  readonly #sides: RealSide[] = []
  #isServing = false
  readonly #failed = new Map<string, string>()
  #ended: EndReason | undefined

  constructor(run: RunContext) {
    this.#run = run
    const { over, added, notes, misplaced } = assignServers(
      run.document.attack.execution.actors,
      run.options.through?.servers ?? [],
    )
    const actors = [...run.document.attack.execution.actors, ...added.map(({ actor }) => actor)]
    this.#values = createCapturedValues(actors.map((actor) => actor.name))
    this.#parts = actors.map((actor, index) => ({
      actor,
      path: `attack.execution.actors[${index}]`,
      row: findDriver(actor.mode),
      real: over.get(actor.name) ?? added.find((one) => one.actor === actor)?.server,
    }))
    for (const note of notes) run.reports.add(diagnostic('through-unclear', note))
    for (const note of misplaced) run.reports.add(diagnostic('overlay-misplaced', note))
    for (const { actor, path, row } of this.#parts) {
      const report = this.#reporter(actor)
      const unknown = `actor ${actor.name} is skipped: unknown mode ${actor.mode}`
      if (row === undefined) report('unknown-mode', unknown, `${path}.mode`)
      else checkState(actor, path, report)
    }
  }

  get actors(): readonly RunningActor[] {
    return [...this.#running.values()]
  }

  clients(): readonly ClientActor[] {
    const { options } = this.#run
    const clients = this.#parts.filter(({ actor, row }) => row?.role === 'client' && !isConnected(actor, options))
    return clients.map(({ actor }) => ({ actor: actor.name, mode: actor.mode }))
  }

  servers(): readonly ServerActor[] {
    const servers = this.actors.filter((actor) => actor.role === 'server')
    return servers.map((actor) => ({ actor: actor.name, mode: actor.mode, address: actor.address() ?? '' }))
  }

  /**
   * Binds all servers ([OATF §5.1](https://oatf.io/specification/execution-profile/), readiness). Returns false and
   * reports the failure if a server cannot be bound.
   */
  async openServers(): Promise<boolean> {
    const servers = this.#parts.flatMap((part) => {
      if (part.row?.role !== 'server') return []
      const { create } = part.row
      const end = serverEnd(this.#run, part.actor, {
        onGarbage: (text, reason) => this.#running.get(part.actor.name)?.garbage(text, reason),
        onRefused: (reason) => this.#reporter(part.actor)('request-refused', reason),
        onDefect: (thrown) => this.#reporter(part.actor)('content-malformed', messageOf(thrown)),
      })
      return [this.#add(part, 'server', (context) => create(context, end))]
    })
    const opened = await Promise.all(servers.map((server) => this.#listen(server)))
    return opened.every((done) => done)
  }

  /** Creates all clients. Returns false if a client has no endpoint, which is reported. */
  addClients(session: TargetSession | undefined): boolean {
    const servers = new Map(this.servers().map(({ actor, address }) => [actor, address]))
    let wired = true
    for (const part of this.#parts) {
      if (part.row?.role !== 'client') continue
      const { create } = part.row
      const end = clientEnd(this.#run, part.actor, servers, session?.endpoints ?? {})
      if (end instanceof ArenaError) {
        this.#fail(part.actor.name, end)
        wired = false
      } else this.#add(part, 'client', (context) => create(withTimeout(context, end), end))
    }
    return wired
  }

  /** Starts the servers unless they have been started. Requests that arrive earlier wait. */
  beginServers(): void {
    if (this.#isServing) return
    this.#isServing = true
    for (const actor of this.actors) if (actor.role === 'server') actor.begin()
  }

  /** Starts all actors, servers first, so that they are active when a client connects. */
  begin(): void {
    this.beginServers()
    for (const actor of this.actors) if (actor.role === 'client') actor.begin()
  }

  reportUnreached(): void {
    for (const actor of this.actors) actor.reportUnreached()
  }

  /** Stops recording, counting and reporting at the end of the run. */
  silence(ended: EndReason): void {
    this.#ended = ended
    for (const actor of this.actors) actor.silence()
  }

  /** Closes all actors, with a timeout. */
  async close(): Promise<void> {
    const { clock, limits } = this.#run
    const closed = Promise.allSettled(this.actors.map((actor) => actor.close())).then(() => {})
    await within(clock, limits.closeMs, closed, undefined, () => {})
  }

  throughCalls(): readonly ThroughCall[] {
    return this.#sides.flatMap((side) => side.calls())
  }

  /** Returns the outcomes of all actors in document order. */
  outcomes(): ActorOutcome[] {
    return this.#parts.map(({ actor, row }) => {
      const running = this.#running.get(actor.name)?.outcome()
      const error = this.#failed.get(actor.name)
      if (error !== undefined)
        return { name: actor.name, mode: actor.mode, phases: [], ...running, status: 'failed', error }
      const status = row === undefined ? 'skipped' : 'stopped'
      return running ?? { name: actor.name, mode: actor.mode, status, phases: [] }
    })
  }

  #reporter(actor: Actor): (...finding: Parameters<typeof diagnostic>) => void {
    return (code, ...finding) => {
      // Undelivered messages are known only at the end. They are not reported if the run was cut short.
      if (this.#ended !== undefined && !(this.#ended === 'done' && reportedOnClose.has(code))) return
      this.#run.reports.add({ ...diagnostic(code, ...finding), actor: actor.name })
    }
  }

  #add(
    { actor, path, real }: Part,
    role: 'server' | 'client',
    createDriver: ActorOptions['createDriver'],
  ): RunningActor {
    const run = this.#run
    const report = this.#reporter(actor)
    const { messageBytes, replyMs, retries } = run.limits
    const mcpVersion = run.options.mcpVersion ?? run.options.target?.mcpVersion
    const running = new RunningActor({
      actor,
      path,
      role,
      verbatim: run.document.attack['x-joust-verbatim'] === true,
      strict: run.options.strict === true,
      readsHeaders: writeJson(run.document.attack).includes(HEADERS),
      createDriver,
      context: {
        clock: run.clock,
        newId: run.newId,
        signal: run.stop.signal,
        limits: { messageBytes, replyMs, retries },
        ...(mcpVersion === undefined ? {} : { mcpVersion }),
        ...(real && { real: this.#realSide(real, report) }),
        outbound: createHttpSend(),
        mayFollow: (url) => isNamedHost(url, run.options.allowHosts),
        mayReach: (url) => {
          if (isAllowedHost(url, run.options.allowHosts)) return true
          report('host-not-allowed', `no request was sent to ${url}: its host is not allowed`)
          return false
        },
      },
      limits: run.limits,
      recorder: run.recorder,
      values: this.#values,
      improvise: run.options.improvise,
      startedAt: run.startedAt,
      report,
      onFailure: (error) => this.#reportFailure(actor.name, error),
      onPhase: (visit) => run.tell({ type: 'phase-entered', actor: actor.name, ...visit }),
    })
    this.#running.set(actor.name, running)
    return running
  }

  #realSide(server: RealServer, report: Parameters<typeof createRealSide>[1]['report']): RealSide {
    const { limits, options, stop } = this.#run
    const { messageBytes, replyMs: answerMs } = limits
    const side = createRealSide(server, {
      signal: stop.signal,
      answerMs,
      messageBytes,
      report,
      ...(options.through?.allow && { allow: options.through.allow }),
    })
    this.#sides.push(side)
    return side
  }

  async #listen(server: RunningActor): Promise<boolean> {
    try {
      await server.listen()
    } catch (thrown) {
      this.#fail(server.name, thrown)
      return false
    }
    const address = server.address()
    if (address !== undefined) this.#values.capture(server.name, ADDRESS, address)
    const alone = this.#run.options.target === undefined
    this.#run.tell({ type: 'actor-ready', actor: server.name, alone, ...(address === undefined ? {} : { address }) })
    return true
  }

  #fail(actor: string, thrown: unknown): void {
    this.#failed.set(actor, messageOf(thrown))
    this.#reportFailure(actor, thrown)
  }

  #reportFailure(actor: string, thrown: unknown): void {
    if (this.#ended !== undefined) return
    const transient = isTransient(thrown) ? { transient: true as const } : {}
    this.#run.reports.add({ ...diagnostic('actor-failed', `${actor}: ${messageOf(thrown)}`), actor, ...transient })
  }
}

function withTimeout(context: DriverContext, end: ClientEnd): DriverContext {
  if (end.kind !== 'http' || end.replyMs === undefined) return context
  return { ...context, limits: { ...context.limits, replyMs: end.replyMs } }
}

/** Reports unknown state keys, except extensions. */
export function checkState(
  actor: Actor,
  path: string,
  report: (code: DiagnosticCode, message: string, path: string, more?: { readonly suggestion?: Suggestion }) => void,
): void {
  const keys = findMode(actor.mode)?.stateKeys ?? []
  for (const [index, { state }] of actor.phases.entries()) {
    const at = `${path}.phases[${index}].state`
    if (state === undefined || state === null) continue
    if (!isRecord(state)) {
      report('state-malformed', 'the state is not a mapping, so it was ignored', at)
      continue
    }
    const version = own(state, 'protocol_version')
    if (version !== undefined && typeof version !== 'string') {
      const what = `protocol_version: expected a string, got ${kindOf(version)}; it was sent as written`
      report('state-malformed', what, `${at}.protocol_version`)
    }
    for (const key of Object.keys(state)) {
      if (keys.includes(key) || key.startsWith('x-')) continue
      const hint = suggestion('key', suggest(key, keys))
      report('unknown-state-key', `unknown state key "${key}" for ${actor.mode}`, `${at}.${key}`, hint)
    }
  }
}
