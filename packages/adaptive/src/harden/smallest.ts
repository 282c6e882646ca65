/**
 * Finds the smallest set of restraints that stops as many attacks as possible and preserves every task. The result is
 * exact if restraints are monotonic: adding a restraint never helps an attack or restores a task.
 */
import { adaptiveLimits } from '../limits.ts'

/** The effect of restraints on an attack, and whether its task still works (`kept`). */
export interface Effect {
  readonly attack: 'stopped' | 'through' | 'unknown'
  readonly kept: boolean
}

/** The search space. Restraints and attacks are referred to by index. Earlier restraints are preferred. */
export interface Space {
  readonly restraints: readonly number[]
  readonly base?: readonly number[]
  readonly targets: readonly number[]
  /**
   * Attacks whose tasks the restraint is most likely to break. If it breaks one, the other attacks are not tried with
   * it.
   */
  readonly first?: (restraint: number) => readonly number[]
  /** Other attacks that must not succeed and whose tasks must still work. */
  readonly others: readonly number[]
  /** Returns the effects of a set, or undefined if the search must end. */
  readonly effects: (set: readonly number[], attacks: readonly number[]) => Promise<readonly Effect[] | undefined>
  /** Confirms a set. Unconfirmed sets are discarded. */
  readonly confirm?: (set: readonly number[], targets: readonly number[]) => Promise<boolean | undefined>
}

export interface Smallest {
  readonly set: readonly number[]
  readonly stopped: readonly number[]
  /** Attacks that no set of restraints stops. */
  readonly open: readonly number[]
  /** True if the search ended early. Attacks in neither list are then undecided. */
  readonly halted?: true
}

export async function smallestSet(space: Space): Promise<Smallest> {
  const search = new Search(space)
  const { base = [], targets } = space
  try {
    await search.alone()
    const possible: number[] = []
    const open: number[] = []
    for (const target of targets) {
      const solution = await search.find([target], [])
      if (solution === undefined) open.push(target)
      else possible.push(target)
    }
    const { set, stopped } = await search.together(possible)
    return { set, stopped, open: [...open, ...possible.filter((one) => !stopped.includes(one))] }
  } catch (thrown) {
    if (thrown !== HALTED) throw thrown
    return { set: base, stopped: [], open: [], halted: true }
  }
}

const HALTED = Symbol('halted')

class Search {
  readonly #space: Space
  /** Sets under which an attack still succeeds. The attack also succeeds under all subsets of these sets. */
  readonly #through = new Map<number, (readonly number[])[]>()
  /** Sets that break a task. All supersets of these sets also break the task. */
  readonly #breaking: (readonly number[])[] = []
  /** Sets that were not confirmed. */
  readonly #refused = new Set<string>()
  readonly #base: readonly number[]

  constructor(space: Space) {
    this.#space = space
    this.#base = space.base ?? []
  }

  /** Tries every restraint alone, to find out which ones break a task and which stop an attack. */
  async alone(): Promise<void> {
    const { restraints, targets, first } = this.#space
    for (const restraint of restraints) {
      const likely = first?.(restraint) ?? []
      const [early, late] = [true, false].map((is) => targets.filter((one) => likely.includes(one) === is))
      const set = this.#with([restraint])
      await this.#try(set, early ?? [])
      if (!this.#breaks(set)) await this.#try(set, late ?? [])
    }
    for (const target of targets) await this.#allOthers(target)
  }

  async #try(set: readonly number[], targets: readonly number[]): Promise<void> {
    const effects = await this.#ask(set, targets)
    effects.forEach(({ attack, kept }, index) => {
      const target = targets[index]
      if (target !== undefined && attack === 'through') this.#throughs(target).push(set)
      if (!kept) this.#breaking.push(set)
    })
  }

  /** Tries together all restraints that have no effect alone. If they have no effect, no combination of them has. */
  async #allOthers(target: number): Promise<void> {
    const idle = this.#space.restraints.filter((one) => this.#lets(target, this.#with([one])))
    if (idle.length > 1) await this.#learn(this.#with(idle), [target], true)
  }

  /** Returns the smallest set that stops the targets, preserves their tasks and does not affect the other attacks. */
  async find(targets: readonly number[], others: readonly number[]): Promise<readonly number[] | undefined> {
    const useful = this.#space.restraints.filter((one) => !this.#breaks(this.#with([one])))
    let considered = 0
    for (const some of subsetsOf(useful)) {
      considered += 1
      if (considered > adaptiveLimits.hardenSets) throw HALTED
      const set = this.#with(some)
      if (this.#isOut(set, targets)) continue
      if (!(await this.#learn(set, targets, true))) continue
      if (!(await this.#learn(set, others, false))) continue
      return set
    }
    return undefined
  }

  /** Finds the set that stops as many attacks as possible if no set stops all of them. */
  async together(possible: readonly number[]): Promise<{ set: readonly number[]; stopped: readonly number[] }> {
    const { others, targets, confirm } = this.#space
    for (let size = possible.length; size > 0; size--) {
      let best: { set: readonly number[]; stopped: readonly number[] } | undefined
      for (const stopped of subsetsOf(possible, size)) {
        const rest = [...others, ...targets.filter((one) => !stopped.includes(one))]
        let set = await this.find(stopped, rest)
        while (set !== undefined && confirm !== undefined && (best === undefined || set.length < best.set.length)) {
          const sure = await confirm(set, stopped)
          if (sure === undefined) throw HALTED
          if (sure) break
          this.#refused.add(keyOf(set))
          set = await this.find(stopped, rest)
        }
        if (set !== undefined && (best === undefined || set.length < best.set.length)) best = { set, stopped }
      }
      if (best !== undefined) return best
    }
    return { set: this.#base, stopped: [] }
  }

  /**
   * True if the set stops the attacks (`stops`), or does not make them worse. Records what this implies for other sets.
   */
  async #learn(set: readonly number[], attacks: readonly number[], stops: boolean): Promise<boolean> {
    const effects = await this.#ask(set, attacks)
    let fine = true
    for (const [index, { attack, kept }] of effects.entries()) {
      const number = attacks[index]
      if (number === undefined) continue
      const isWanted = stops ? attack === 'stopped' : attack !== 'through' || this.#space.targets.includes(number)
      if (attack === 'through' && stops) await this.#grow(set, number)
      if (!kept) await this.#shrink(set, number)
      if (!kept || !isWanted) fine = false
    }
    return fine
  }

  async #grow(set: readonly number[], attack: number): Promise<void> {
    let grown = set
    for (const one of this.#space.restraints) {
      const more = this.#with([...grown, one])
      if (more.length === grown.length || this.#lets(attack, more)) continue
      if (!this.#lets(attack, this.#with([one]))) continue
      const [effect] = await this.#ask(more, [attack])
      if (effect?.attack === 'through') grown = more
    }
    this.#throughs(attack).push(grown)
  }

  async #shrink(set: readonly number[], attack: number): Promise<void> {
    if (this.#breaks(set)) return
    let smallest = set
    for (const one of set) {
      if (this.#base.includes(one)) continue
      const fewer = smallest.filter((other) => other !== one)
      const [effect] = await this.#ask(fewer, [attack])
      if (effect?.kept === false) smallest = fewer
    }
    this.#breaking.push(smallest)
  }

  async #ask(set: readonly number[], attacks: readonly number[]): Promise<readonly Effect[]> {
    if (attacks.length === 0) return []
    const effects = await this.#space.effects(set, attacks)
    if (effects === undefined) throw HALTED
    return effects
  }

  #isOut(set: readonly number[], targets: readonly number[]): boolean {
    return this.#refused.has(keyOf(set)) || this.#breaks(set) || targets.some((target) => this.#lets(target, set))
  }

  #lets(attack: number, set: readonly number[]): boolean {
    return this.#throughs(attack).some((known) => set.every((one) => known.includes(one)))
  }

  #breaks(set: readonly number[]): boolean {
    return this.#breaking.some((known) => known.every((one) => set.includes(one)))
  }

  #throughs(attack: number): (readonly number[])[] {
    const sets = this.#through.get(attack) ?? []
    this.#through.set(attack, sets)
    return sets
  }

  #with(some: readonly number[]): readonly number[] {
    return [...new Set([...this.#base, ...some])].sort((a, b) => a - b)
  }
}

function keyOf(set: readonly number[]): string {
  return set.join(' ')
}

/** Yields the non-empty subsets of a list, optionally only those of one size. Smaller subsets come first. */
export function* subsetsOf<T>(list: readonly T[], only?: number): Generator<readonly T[], void, void> {
  const sizes = only === undefined ? list.map((_, index) => index + 1) : [only]
  for (const size of sizes) yield* ofSize(list, size, 0)
}

function* ofSize<T>(list: readonly T[], size: number, from: number): Generator<readonly T[], void, void> {
  if (size === 0) {
    yield []
    return
  }
  for (let at = from; at <= list.length - size; at++) {
    for (const rest of ofSize(list, size - 1, at + 1)) yield [...list.slice(at, at + 1), ...rest]
  }
}
