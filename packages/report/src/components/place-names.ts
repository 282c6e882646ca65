/**
 * Identifies trials in URLs by target, attack id and trial, so that links remain valid when a suite is extended or
 * reordered.
 */
import { type AttackResults, runsOf } from '@joust/results'
import type { AttackPlace, ReportRun } from './data.ts'
import { targetNames } from './target-names.ts'

export interface PlaceNames {
  /** Returns the URL segments of a place: target, attack, trial and the number of an open message. */
  wordsOf(place: AttackPlace): string[]
  /** Returns the place for URL segments; undefined if the results do not contain the place. */
  placeOf(words: readonly string[]): AttackPlace | undefined
}

export function createPlaceNames(runs: readonly ReportRun[]): PlaceNames {
  const targets = targetNames(runs)
  const attacks = runs.map(({ target }) => attackKeys(target.attacks))
  return {
    wordsOf({ run, attack, trial, seq }) {
      const one = runs[run]?.target.attacks[attack]
      const words = [targets[run] ?? '', attacks[run]?.[attack] ?? '', one ? trialWord(one, trial) : '']
      return seq === undefined ? words : [...words, String(seq)]
    },
    placeOf([target, key, word, seq]) {
      const run = targets.indexOf(target ?? '')
      const attack = attacks[run]?.indexOf(key ?? '') ?? -1
      const results = runs[run]?.target.attacks[attack]
      if (results === undefined) return undefined
      const trials = runsOf(results)
      const trial = word === undefined ? 0 : trials.findIndex((_, index) => trialWord(results, index) === word)
      if (trial === -1) return undefined
      return { run, attack, trial, seq: seq === undefined || !/^\d+$/.test(seq) ? undefined : Number(seq) }
    },
  }
}

/** Returns keys of attacks: the id, or else the file. Duplicates are numbered. */
export function attackKeys(attacks: readonly AttackResults[]): string[] {
  const counts = new Map<string, number>()
  return attacks.map(({ attack, file }) => {
    const name = attack.id ?? file
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}~${count}`
  })
}

function trialWord(attack: AttackResults, index: number): string {
  const number = runsOf(attack)[index]?.trial ?? 1
  return index < attack.trials.length ? String(number) : `placebo-${number}`
}
