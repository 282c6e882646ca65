import type { Path } from '@joust/source'
import type { PhaseSite, Walk } from '../rules/walk.ts'

/** Finds the phase that a path leads into. */
export function phaseFinder(walk: Walk): (path: Path) => PhaseSite | undefined {
  const byPath = new Map(walk.phases.map((phase) => [JSON.stringify(phase.path), phase]))
  const lengths = [...new Set(walk.phases.map((phase) => phase.path.length))]
  return (path) => {
    for (const length of lengths) {
      const found = byPath.get(JSON.stringify(path.slice(0, length)))
      if (found !== undefined) return found
    }
    return undefined
  }
}
