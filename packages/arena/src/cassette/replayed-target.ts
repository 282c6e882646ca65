import type { Target } from '../model/target.ts'
import type { Cassette } from './open-cassette.ts'

/** A target whose faults include calls that were not recorded: an agent may swallow one and go on as if nothing was. */
export function replayedTarget(target: Target, cassette: Cassette): Target {
  return {
    ...target,
    async start(arena) {
      const session = await target.start(arena)
      const faults = () => [...(session.faults?.() ?? []), ...cassette.missed().map((miss) => `replay: ${miss}`)]
      return { ...session, faults }
    },
  }
}
