import { expect, test } from 'vitest'
import * as api from '../src/index.ts'

// The public API: changing it is a deliberate decision.
test('exports these names and no others', () => {
  expect(Object.keys(api).sort()).toEqual([
    'FleetError',
    'databaseLabel',
    'isUnencrypted',
    'openDatabaseMemory',
    'openFleet',
  ])
})

test('isUnencrypted is true for a remote host without TLS', () => {
  expect(api.isUnencrypted('postgres://db.example/x')).toBe(true)
  expect(api.isUnencrypted('postgres://db.example/x?sslmode=disable')).toBe(true)
  expect(api.isUnencrypted('postgres://db.example/x?sslmode=verify-full')).toBe(false)
  expect(api.isUnencrypted('postgres://127.0.0.1/x')).toBe(false)
})

test('databaseLabel omits user and password', () => {
  expect(api.databaseLabel('postgres://user:password@db.example:5432/joust')).toBe('the database db.example:5432/joust')
})
