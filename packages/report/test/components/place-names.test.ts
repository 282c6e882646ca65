import { expect, test } from 'vitest'
import { createPlaceNames } from '../../src/components/place-names.ts'
import { readRoute, writeRoute } from '../../src/components/report-page.tsx'
import { attack, results, trial } from '../html/sample.ts'

const runs = (...ids: readonly string[]) =>
  results(ids.map((id) => attack(id, { trials: [trial(1), trial(3)], placebo_trials: [trial(1)] }))).targets.map(
    (target) => ({ target, results: results([]) }),
  )
const place = { run: 0, attack: 1, trial: 1, seq: undefined }

test('a link names target, attack and trial, and survives other attacks before it', () => {
  const link = writeRoute({ place, query: 'sort=name' }, createPlaceNames(runs('a', 'b')))
  expect(link).toBe('#/help-desk/b/3?sort=name')
  const later = createPlaceNames(runs('new', 'other', 'a', 'b'))
  expect(readRoute(link, later)).toEqual({ place: { ...place, attack: 3 }, query: 'sort=name' })
})

test('repeated ids are numbered; trials without the bait and messages have words of their own', () => {
  const names = createPlaceNames(runs('a', 'a'))
  expect(names.wordsOf({ ...place, trial: 2, seq: 7 })).toEqual(['help-desk', 'a~2', 'placebo-1', '7'])
  for (const trial of [0, 1, 2]) {
    const one = { run: 0, attack: 1, trial, seq: 4 }
    expect(names.placeOf(names.wordsOf(one))).toEqual(one)
  }
})

test.each(['#/', '#/elsewhere/a/1', '#/help-desk/z/1', '#/help-desk/a/9', '#/%E0%A4%A/a/1'])(
  '%s is the overview',
  (hash) => {
    expect(readRoute(hash, createPlaceNames(runs('a'))).place).toBeUndefined()
  },
)
