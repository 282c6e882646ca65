/** The search against brute force, on small spaces of every kind that restraints can form. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Effect, type Space, smallestSet, subsetsOf } from '../../src/harden/smallest.ts'

/** An attack: the sets that stop it, and the sets that break its task; every superset of one does so as well. */
interface Attack {
  readonly stops: readonly (readonly number[])[]
  readonly breaks: readonly (readonly number[])[]
}

const holds = (set: readonly number[], all: Attack['stops']) =>
  all.some((one) => one.every((item) => set.includes(item)))

function effectOf({ stops, breaks }: Attack, set: readonly number[]): Effect {
  return { attack: holds(set, stops) ? 'stopped' : 'through', kept: !holds(set, breaks) }
}

function spaceOf(attacks: readonly Attack[], size: number, more: Partial<Space> = {}): Space {
  return {
    restraints: Array.from({ length: size }, (_, index) => index),
    targets: attacks.map((_, index) => index),
    others: [],
    effects: async (set, numbers) =>
      numbers.map((number) => effectOf(attacks[number] ?? { stops: [], breaks: [] }, set)),
    ...more,
  }
}

/** Stops as many attacks as possible with as few restraints as possible, with every task done. */
function bruteForce(attacks: readonly Attack[], size: number): { stopped: number; size: number } {
  const all = Array.from({ length: size }, (_, index) => index)
  const sets = [[], ...subsetsOf(all)].filter((set) => attacks.every((attack) => effectOf(attack, set).kept))
  const counted = sets.map((set) => ({
    size: set.length,
    stopped: attacks.filter((attack) => effectOf(attack, set).attack === 'stopped').length,
  }))
  return counted.toSorted((a, b) => b.stopped - a.stopped || a.size - b.size)[0] ?? { stopped: 0, size: 0 }
}

const SIZE = 5
const some = fc.uniqueArray(fc.nat(SIZE - 1), { minLength: 1, maxLength: 3 })
const attack = fc.record({ stops: fc.array(some, { maxLength: 3 }), breaks: fc.array(some, { maxLength: 3 }) })

describe('the smallest set', () => {
  test('is that of brute force: no smaller set stops as many attacks and leaves all tasks done', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(attack, { minLength: 1, maxLength: 3 }), async (attacks) => {
        const { set, stopped, open, halted } = await smallestSet(spaceOf(attacks, SIZE))
        expect(halted).toBeUndefined()
        expect({ stopped: stopped.length, size: set.length }).toEqual(bruteForce(attacks, SIZE))
        expect(attacks.every((one) => effectOf(one, set).kept)).toBe(true)
        for (const number of stopped) expect(attacks[number] && effectOf(attacks[number], set).attack).toBe('stopped')
        expect([...stopped, ...open].toSorted()).toEqual(attacks.map((_, index) => index))
      }),
      { numRuns: 400 },
    )
  })

  test('prefers the first one', async () => {
    const { set } = await smallestSet(spaceOf([{ stops: [[3], [1], [2]], breaks: [[1]] }], SIZE))
    expect(set).toEqual([2])
  })

  test('asks about each restraint once where one is enough', async () => {
    let asked = 0
    const attacks = [{ stops: [[4]], breaks: [] }]
    const space = spaceOf(attacks, SIZE)
    const known = new Map<string, readonly Effect[]>()
    const effects: Space['effects'] = async (set, numbers) => {
      const key = JSON.stringify([set, numbers])
      const before = known.get(key)
      if (before !== undefined) return before
      asked += 1
      const now = (await space.effects(set, numbers)) ?? []
      known.set(key, now)
      return now
    }
    expect((await smallestSet({ ...space, effects })).set).toEqual([4])
    // Once for each restraint, and once for all the ineffective ones together.
    expect(asked).toBe(SIZE + 1)
  })

  test('does not take what fails when it is made sure of', async () => {
    const space = spaceOf([{ stops: [[0], [1]], breaks: [] }], 2, { confirm: async ([first]) => first === 1 })
    expect((await smallestSet(space)).set).toEqual([1])
  })

  test('leaves alone what never got through, tasks included', async () => {
    const attacks = [
      { stops: [[0], [1]], breaks: [] },
      { stops: [[]], breaks: [[0]] },
    ]
    expect((await smallestSet(spaceOf(attacks, 2, { targets: [0], others: [1] }))).set).toEqual([1])
  })

  test('says nothing where it had to end', async () => {
    expect(await smallestSet(spaceOf([{ stops: [[0]], breaks: [] }], 2, { effects: async () => undefined }))).toEqual({
      set: [],
      stopped: [],
      open: [],
      halted: true,
    })
  })
})
