/** The table of blocks, with keys that a hostile server could craft. */
import { expect, test } from 'vitest'
import { createBlockTable } from '../../src/flows/block-table.ts'

const many = Array.from({ length: 1_000 }, (_, hash) => ({ key: 7, hash }))

test.each(['add', 'addNew'] as const)(
  'blocks with one key take no longer chain than others, and that shows: %s',
  (add) => {
    let limits = 0
    const table = createBlockTable(() => void limits++)
    for (const block of many) table[add](block, block.hash, 0)
    let visits = 0
    for (const block of many) table.visit(block, () => void visits++)
    expect(limits).toBeGreaterThan(900)
    expect(visits).toBeLessThan(100)
  },
)

test('a block has at most six places, and none with more than four owners', () => {
  const table = createBlockTable(() => {})
  const placesOf = (hash: number) => {
    const places: number[] = []
    table.visit({ key: 1, hash }, (place) => places.push(place))
    return places
  }
  for (let place = 0; place < 9; place++) table.add({ key: 1, hash: 1 }, place, 0)
  for (let owner = 0; owner < 5; owner++) table.add({ key: 1, hash: 2 }, owner, owner)
  expect(placesOf(1)).toEqual([0, 1, 2, 3, 4, 5])
  expect(placesOf(2)).toEqual([])
  expect(table.visit({ key: 1, hash: 3 }, () => {})).toBe(true)
})
