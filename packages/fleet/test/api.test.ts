import { expect, test } from 'vitest'
import * as api from '../src/index.ts'

// A promise to users: names are added or removed here on purpose, or not at all.
test('exports these names and no others', () => {
  expect(Object.keys(api).sort()).toEqual(['FleetError', 'isInTheClear', 'openFleet', 'placeOf'])
})

test('a connection in the clear is known by its address', () => {
  expect(api.isInTheClear('postgres://db.example/x')).toBe(true)
  expect(api.isInTheClear('postgres://db.example/x?sslmode=disable')).toBe(true)
  expect(api.isInTheClear('postgres://db.example/x?sslmode=verify-full')).toBe(false)
  expect(api.isInTheClear('postgres://127.0.0.1/x')).toBe(false)
})

test('an address is told without who asks', () => {
  expect(api.placeOf('postgres://user:password@db.example:5432/joust')).toBe('the database db.example:5432/joust')
})
