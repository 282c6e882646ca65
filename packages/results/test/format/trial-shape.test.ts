import { shapes } from '@joust/source'
import { expect, test } from 'vitest'
import type { FieldsFor } from '../../src/format/trial-shape.ts'

const { optional, required, text } = shapes

interface Note {
  readonly title: string
  readonly author?: string
}

// The compiler is the test here: `tsc -p tsconfig.tests.json` fails on an expected error that does not occur.
test('fields that differ from those of their type do not compile', () => {
  const same: FieldsFor<Note> = { title: required(text), author: optional(text) }
  // @ts-expect-error: the author is missing
  const missing: FieldsFor<Note> = { title: required(text) }
  // @ts-expect-error: a note has no date
  const unknown: FieldsFor<Note> = { ...same, date: optional(text) }
  // @ts-expect-error: a note without a title is not a note
  const lax: FieldsFor<Note> = { ...same, title: optional(text) }
  // @ts-expect-error: a note may have no author
  const strict: FieldsFor<Note> = { ...same, author: required(text) }
  expect([same, missing, unknown, lax, strict].map((fields) => Object.keys(fields).length)).toEqual([2, 1, 3, 2, 2])
})
