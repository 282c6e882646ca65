/** The names that a model sees (OPEN-44, OPEN-46): names from a document stay, those from a server give way. */
import type { Callable } from '../model/callable.ts'

/** The tool that takes the final answer; nothing else may have this name. */
export const FINAL_OUTPUT = 'final_output'

/** A name that something would like to have. */
interface Wish {
  readonly name: string
  /** Its name when the preferred one is taken. */
  readonly otherwise: string
  /** Whether a server chose the name: it then gives way to everything that the document declares. */
  readonly yields: boolean
}

/** A callable under its preferred name. */
export interface Candidate extends Omit<Wish, 'name'> {
  readonly callable: Callable
}

/** The callables under distinct names that fit the wire formats of models. */
export function nameCallables(candidates: readonly Candidate[]): Callable[] {
  const names = assignNames(candidates.map(({ callable, ...wish }) => ({ ...wish, name: callable.name })))
  return candidates.map(({ callable }, index) => {
    const name = names[index] ?? callable.name
    // The lists of governance policies use the names that tools have for their owners.
    return name === callable.name ? callable : { ...callable, name, names: [callable.name, ...callable.names] }
  })
}

/** The names that wishes get, in their order. */
export function assignNames(wishes: readonly Wish[]): string[] {
  const taken = new Set([FINAL_OUTPUT])
  const names = new Map<Wish, string>()
  const give = (wish: Wish, name: string) => {
    const free = firstFree(name, taken)
    taken.add(free)
    names.set(wish, free)
  }
  for (const wish of wishes) {
    if (!wish.yields) give(wish, taken.has(fit(wish.name)) ? wish.otherwise : wish.name)
  }
  const chosen = wishes.filter(({ yields }) => yields)
  const counts = new Map<string, number>()
  for (const { name } of chosen) counts.set(fit(name), (counts.get(fit(name)) ?? 0) + 1)
  const clashes = ({ name }: Wish) => taken.has(fit(name)) || counts.get(fit(name)) !== 1
  // Alternative names first: a server that calls a tool `other__tool` must not get that name before the other does.
  for (const wish of chosen.filter(clashes)) give(wish, wish.otherwise)
  for (const wish of chosen) if (!names.has(wish)) give(wish, clashes(wish) ? wish.otherwise : wish.name)
  return wishes.map((wish) => names.get(wish) ?? wish.name)
}

/** Providers accept letters, digits, `_` and `-`, up to a length, and some refuse a digit at the start. */
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
