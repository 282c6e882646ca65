/** The names that a model sees (OPEN-44, OPEN-46): what a document declares keeps its name, what a server chooses gives way. */
import type { Callable } from '../model/callable.ts'

/** The tool that ends an answer; nothing else may be called so. */
export const FINAL_OUTPUT = 'final_output'

/** A callable under the name it would like to have. */
export interface Candidate {
  readonly callable: Callable
  /** Its name when another has the one it would like. */
  readonly otherwise: string
  /** Whether a server chose the name: it then gives way to everything that the document declares. */
  readonly yields: boolean
}

/** The callables under names that are all different and fit for the wire formats of models. */
export function nameCallables(candidates: readonly Candidate[]): Callable[] {
  const names = assignNames(candidates)
  return candidates.map((candidate) => {
    const { callable } = candidate
    const name = names.get(candidate) ?? callable.name
    // Lists of governance policies go by the names that tools have for their owners.
    return name === callable.name ? callable : { ...callable, name, names: [callable.name, ...callable.names] }
  })
}

function assignNames(candidates: readonly Candidate[]): ReadonlyMap<Candidate, string> {
  const taken = new Set([FINAL_OUTPUT])
  const names = new Map<Candidate, string>()
  const give = (candidate: Candidate, name: string) => {
    const free = firstFree(name, taken)
    taken.add(free)
    names.set(candidate, free)
  }
  for (const candidate of candidates) {
    const { callable, otherwise, yields } = candidate
    if (!yields) give(candidate, taken.has(fit(callable.name)) ? otherwise : callable.name)
  }
  const chosen = candidates.filter(({ yields }) => yields)
  const counts = new Map<string, number>()
  for (const { callable } of chosen) counts.set(fit(callable.name), (counts.get(fit(callable.name)) ?? 0) + 1)
  const clashes = ({ callable }: Candidate) => taken.has(fit(callable.name)) || counts.get(fit(callable.name)) !== 1
  // Longer names first: a server that calls a tool `other__tool` must not have that name before the other server has it.
  for (const candidate of chosen.filter(clashes)) give(candidate, candidate.otherwise)
  for (const candidate of chosen) {
    if (!names.has(candidate)) give(candidate, clashes(candidate) ? candidate.otherwise : candidate.callable.name)
  }
  return names
}

/** Providers take letters, digits, `_` and `-`, a limited number of them, and not all take a digit at the start. */
const LONGEST = 64

function fit(name: string): string {
  const plain = name.slice(0, LONGEST).replaceAll(/[^A-Za-z0-9_-]/g, '_')
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, LONGEST)
}

function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  const name = fit(wanted)
  if (!taken.has(name)) return name
  for (let number = 2; ; number++) {
    const suffix = `_${number}`
    const numbered = `${name.slice(0, LONGEST - suffix.length)}${suffix}`
    if (!taken.has(numbered)) return numbered
  }
}
