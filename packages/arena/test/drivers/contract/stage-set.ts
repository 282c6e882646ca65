/** A real actor around a driver, with a fake clock. */
import type { Phase } from '@joust/oatf'
import { createReports, diagnostic } from '../../../../results/src/model/diagnostics.ts'
import { RunningActor } from '../../../src/actors/actor.ts'
import { createCapturedValues } from '../../../src/actors/stage.ts'
import { createRecorder } from '../../../src/trace/recorder.ts'
import { createMemoryHttp } from '../../../src/transport/memory-http.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import type { Rig } from './rig.ts'

/** Sets up an actor with phases; nothing has begun yet. */
export function setUp(rig: Rig, phases: readonly Phase[]) {
  const clock = createFakeClock()
  const joined = rig.join()
  const reports = createReports()
  const recorder = createRecorder(
    clock,
    { messages: 1000, characters: 1e7 },
    () => {},
    () => {},
  )
  const stop = new AbortController()
  let id = 0
  const actor = new RunningActor({
    actor: { name: 'actor', mode: rig.mode, phases },
    path: 'actors[0]',
    role: rig.role,
    verbatim: false,
    strict: false,
    readsHeaders: false,
    createDriver: (context) => joined.create(context),
    context: {
      clock,
      newId: () => `id-${++id}`,
      signal: stop.signal,
      limits: { replyMs: 5000, messageBytes: 1e6, retries: 1 },
      outbound: createMemoryHttp().send,
      mayReach: () => true,
      mayFollow: () => true,
    },
    limits: { phaseMs: 60_000, stallMs: 1000 },
    recorder,
    values: createCapturedValues(['actor']),
    startedAt: clock.now(),
    report: (code, message, path) => reports.add(diagnostic(code, message, path)),
    onFailure: ({ message }) => reports.add(diagnostic('actor-failed', message)),
    onPhase: () => {},
    improvise: undefined,
  })
  return { actor, clock, joined, recorder, reports, stop }
}

export type Play = ReturnType<typeof setUp>
