import { expect, test } from 'vitest'
import { templateNames, templateParts } from '../../src/paths/template.ts'

test('splits a template into text and placeholders', () => {
  expect(templateParts('Pay {{ tool_args.sum }} now')).toEqual([
    { text: 'Pay ' },
    { name: 'tool_args.sum' },
    { text: ' now' },
  ])
  expect(templateParts('{{a}}{{b}}')).toEqual([{ name: 'a' }, { name: 'b' }])
  expect(templateParts('')).toEqual([])
})

test('unclosed braces are text', () => {
  expect(templateParts('a {{ b')).toEqual([{ text: 'a {{ b' }])
  expect(templateParts('a }} b')).toEqual([{ text: 'a }} b' }])
})

test('lists each placeholder once', () => {
  expect(templateNames('{{a}} {{b}} {{ a }}')).toEqual(['a', 'b'])
})

test('is linear in the text', () => {
  expect(templateParts('{{'.repeat(500_000))).toHaveLength(1)
})
