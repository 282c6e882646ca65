import { expect, it } from 'vitest'
import { matchesTemplate } from '../../../../src/drivers/mcp-server/methods/resources.ts'

it.each<[string, string, boolean]>([
  ['u://a/1/data', 'u://a/{id}/data', true],
  ['u://a/1/2/data', 'u://a/{id}/data', false],
  ['u://a//data', 'u://a/{id}/data', false],
  ['u://a/1/datum', 'u://a/{id}/data', false],
  ['u://a/1', 'u://a/{id}', true],
  ['u://a/', 'u://a/{id}', false],
  ['u://x-y', 'u://{a}-{b}', true],
  ['u://xy', 'u://{a}-{b}', false],
  ['u://a', 'u://a', true],
  ['u://ab', 'u://a', false],
  ['u://{+id}', 'u://{+id}', true],
  ['u://1', 'u://{+id}', false],
])('%s from %s: %s', (uri, template, expected) => {
  expect(matchesTemplate(uri, template)).toBe(expected)
})
