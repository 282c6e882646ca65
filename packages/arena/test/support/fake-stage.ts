/** A stage for testing a driver alone: one phase at a time, everything recorded. */

import type { Clock } from '@joust/io'
import { type Extractor, evaluateExtractor, evaluatePredicate, interpolateValue, selectResponse } from '@joust/oatf'
import { isList, isRecord, type Value } from '@joust/source'
import type { DriverContext, Incoming, Message, Scene, Stage } from '../../src/drivers/driver.ts'
import { ArenaError } from '../../src/model/errors.ts'

export interface FakeStage extends Stage {
  /** Everything recorded, in order, including `receive`. */
  readonly messages: (Message & { readonly phase: string })[]
  /** Everything that the trigger would have counted: `surface`, in order. */
  readonly events: { readonly surface: string; readonly content: Value; readonly phase: string }[]
  /** The messages of `answer-failed`, which `reports` leaves out because most test peers answer anything. */
  readonly failedAnswers: string[]
  readonly reports: { readonly code: string; readonly message: string; readonly path?: string }[]
  readonly values: Map<string, string>
  /** Moves to another phase with another state. */
  enter(state: Value, extractors?: readonly Extractor[]): Scene
}

/** A stage in its first phase. */
export function createFakeStage(mode: string, state: Value, extractors: readonly Extractor[] = []): FakeStage {
  let scene: Scene = { index: 0, phase: 'phase-1', state }
  let capturing = extractors
  const messages: FakeStage['messages'] = []
  const events: FakeStage['events'] = []
  const reports: { code: string; message: string; path?: string }[] = []
  const values = new Map<string, string>()
  // Real stages record headers only if the document reads them.
  const record = (at: Scene, { headers: _, ...message }: Message) => {
    messages.push({ ...message, phase: at.phase })
    for (const extractor of capturing) {
      const value = evaluateExtractor(extractor, message.content, message.direction)
      if (value !== undefined) values.set(extractor.name, value)
    }
  }
  const failedAnswers: string[] = []
  const report: Stage['report'] = (code, message, path) =>
    void (code === 'answer-failed'
      ? failedAnswers.push(message)
      : reports.push({ code, message, ...(path === undefined ? {} : { path }) }))
  return {
    actor: 'default',
    mode,
    verbatim: false,
    strict: false,
    messages,
    events,
    reports,
    failedAnswers,
    values,
    enter(next, wanted = []) {
      scene = { index: scene.index + 1, phase: `phase-${scene.index + 2}`, state: next }
      capturing = wanted
      return scene
    },
    scene: () => scene,
    async receive({ also, counts = true, ...message }: Incoming, answer) {
      const arrived = scene
      for (const surface of [message.surface, ...(also ?? [])]) record(arrived, { ...message, surface, flow: 'in' })
      await answer?.(arrived).catch((thrown: unknown) => report('content-malformed', String(thrown)))
      for (const surface of counts ? [message.surface, ...(also ?? [])] : [])
        events.push({ surface, content: message.content, phase: arrived.phase })
    },
    record,
    send(at, message) {
      record(at, message)
      const recorded = messages.at(-1)
      return {
        arrived() {},
        lost() {
          if (recorded !== undefined) messages.splice(messages.indexOf(recorded), 1)
        },
      }
    },
    count: (at, surface, content) => void events.push({ surface, content, phase: at.phase }),
    withHeaders: (request) => request,
    fill(value, request, response) {
      const filled = interpolateValue(value, values, request, response)
      for (const { message } of filled.diagnostics) report('template-empty', message)
      return filled.value
    },
    choose: (entries, request) => (isList(entries) ? selectResponse(entries.filter(isRecord), request) : undefined),
    holds: (when, request) => when === undefined || (isRecord(when) && evaluatePredicate(when, request)),
    report,
  }
}

/** The context that a driver is created with, on a stage. */
export function contextOf(stage: Stage, clock: Clock, changes: Partial<DriverContext> = {}): DriverContext {
  let last = 0
  return {
    stage,
    clock,
    newId: () => `id-${++last}`,
    signal: new AbortController().signal,
    limits: { replyMs: 30_000, messageBytes: 1024 * 1024, retries: 2 },
    mayReach: () => true,
    mayFollow: () => true,
    outbound: () => Promise.reject(new ArenaError('connect_failed', 'nothing to be reached in this test')),
    ...changes,
  }
}
