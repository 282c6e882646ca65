import type { ReportRun } from './data.ts'

/** Returns unique target names. Duplicate names get a distinguishing detail. */
export function targetNames(runs: readonly ReportRun[]): string[] {
  const names = runs.map(({ target }) => target.name)
  return runs.map(({ target, results }, run) => {
    const same = runs.filter(({ target: other }) => other.name === target.name)
    if (same.length < 2) return target.name
    const own = Object.entries(target.details ?? {}).filter(([key, value]) =>
      same.some(({ target: other }) => other.details?.[key] !== value),
    )
    const details = own.map(([, value]) => value).join(', ')
    const times = new Set(same.map(({ results: other }) => other.started_at)).size === same.length
    const number = names.slice(0, run + 1).filter((name) => name === target.name).length
    return `${target.name} (${details !== '' ? details : times ? results.started_at : number})`
  })
}
