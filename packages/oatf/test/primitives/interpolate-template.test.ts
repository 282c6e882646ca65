import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { hasTemplate, interpolateTemplate } from '../../src/primitives/interpolate-template.ts'
import { deepList } from '../deep-value.ts'

const extractors = { token: 's3cret', empty: '', 'other.token': 'theirs', 'request.id': 'shadow' }
const request: Value = { id: 7, params: { name: 'ls', flags: ['-l', { deep: true }], none: null, blank: '' } }
const response: Value = { content: { text: 'hello' }, ok: false }

const fill = (template: string) => interpolateTemplate(template, extractors, request, response)

describe('references that resolve', () => {
  test.each([
    ['no template at all', 'no template at all'],
    ['', ''],
    ['{{token}}', 's3cret'],
    ['a{{token}}b{{token}}c', 'as3cretbs3cretc'],
    ['{{other.token}}', 'theirs'],
    ['[{{empty}}]', '[]'],
    ['{{request.params.name}}', 'ls'],
    ['{{response.content.text}}', 'hello'],
    ['{{response.ok}}', 'false'],
    ['{{request.params.none}}', 'null'],
    ['[{{request.params.blank}}]', '[]'],
    ['{{request.params.flags}}', '["-l",{"deep":true}]'],
    ['{{response.content}}', '{"text":"hello"}'],
    // an extractor of that name comes before the message
    ['{{request.id}}', 'shadow'],
    // the escape, and text that is not a reference
    ['\\{{token}}', '{{token}}'],
    ['\\{{token}} is {{token}}', '{{token}} is s3cret'],
    ['\\\\{{token}}', '\\{{token}}'],
    ['{token}', '{token}'],
    ['{{token', '{{token'],
    ['{{token}} {{token', 's3cret {{token'],
    ['{{open \\{{', '{{open {{'],
    ['}}{{token}}{', '}}s3cret{'],
  ])('%j gives %j without a word', (template, value) => {
    expect(fill(template)).toEqual({ value, diagnostics: [] })
  })

  test('structures keep the order of their keys', () => {
    const { value } = interpolateTemplate('{{request.o}}', {}, { o: { z: 1, a: { y: [], b: 'ü"' } } })
    expect(value).toBe('{"z":1,"a":{"y":[],"b":"ü\\""}}')
  })
})

describe('references that do not', () => {
  test.each([
    ['{{unknown}}'],
    ['{{}}'],
    ['{{ token }}'],
    ['{{TOKEN}}'],
    ['{{token.more}}'],
    ['{{stranger.token}}'],
    ['{{request}}'],
    ['{{request.params.missing}}'],
    ['{{request.params.flags[0]}}'],
    ['{{request.params.name.length}}'],
    ['{{response.nothing.here}}'],
    ['{{requests.id}}'],
    ['{{toString}}'],
    ['{{__proto__}}'],
    ['{{constructor}}'],
    ['{{hasOwnProperty}}'],
    ['{{request.__proto__}}'],
    ['{{request.constructor.name}}'],
    ['{{token\\{{}}'],
  ])('%j is empty, with a W-004', (template) => {
    const { value, diagnostics } = fill(`<${template}>`)
    expect(value).toBe('<>')
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'W-004', spec_ref: '§5.6' }])
  })

  test('without a message its references are undefined', () => {
    const { value, diagnostics } = interpolateTemplate('{{request.id}}|{{response.id}}', {})
    expect(value).toBe('|')
    expect(diagnostics.map((found) => found.message)).toEqual([
      '{{request.id}} is empty: missing request',
      '{{response.id}} is empty: missing response',
    ])
  })

  test('null is a message, and has no fields', () => {
    expect(interpolateTemplate('{{request.id}}', {}, null).diagnostics).toHaveLength(1)
  })

  test('each undefined reference is reported, in order', () => {
    const { diagnostics } = fill('{{one}} {{token}} {{two}} {{one}}')
    expect(diagnostics.map((found) => /{{(.*)}}/.exec(found.message)?.[1])).toEqual(['one', 'two', 'one'])
  })

  test('a path of too many names is undefined, with the name of the limit', () => {
    const { value, diagnostics } = interpolateTemplate(`{{request${'.a'.repeat(129)}}}`, {}, {})
    expect(value).toBe('')
    expect(diagnostics[0]?.message).toContain('dotPathDepth')
  })

  test('a value too deep to write is undefined, with the name of the limit', () => {
    const { value, diagnostics } = interpolateTemplate('{{request.deep}}', {}, { deep: deepList(100_000) })
    expect(value).toBe('')
    expect(diagnostics[0]?.message).toContain('compactJsonDepth')
  })
})

describe('inserted values are not interpolated again', () => {
  test.each([
    ['{{token}}'],
    ['{{request.params.name}}'],
    ['\\{{token}}'],
    ['$&'],
    ['$1'],
    ['$$'],
    ['$`'],
    ["$'"],
    ['$<name>'],
    ['}}'],
    ['{{'],
    ['\u0000'],
    ['\ud83d\ude00 \ud800'],
  ])('%j from an extractor', (captured) => {
    expect(interpolateTemplate('<{{x}}>{{x}}', { x: captured }).value).toBe(`<${captured}>${captured}`)
    expect(interpolateTemplate('{{request.x}}', {}, { x: captured })).toEqual({ value: captured, diagnostics: [] })
  })

  test.each([['$&'], ['$1'], ['$$ {{token}}']])('%j in the template itself', (template) => {
    expect(fill(template).value).toBe(template.replace('{{token}}', () => 's3cret'))
  })

  test('two halves of a reference do not become one', () => {
    expect(interpolateTemplate('{{a}}{{b}}', { a: '{{to', b: 'ken}}', token: 'x' }).value).toBe('{{token}}')
  })
})

describe('sources of values', () => {
  test('a Map works like an object', () => {
    const map = new Map([
      ['token', 'mapped'],
      ['b.token', 'theirs'],
      ['__proto__', 'a name like any other'],
    ])
    expect(interpolateTemplate('{{token}} {{b.token}} {{__proto__}}', map)).toEqual({
      value: 'mapped theirs a name like any other',
      diagnostics: [],
    })
    expect(interpolateTemplate('{{get}}{{size}}', map).diagnostics).toHaveLength(2)
  })

  test('an object may have prototype names as its own', () => {
    const own: Record<string, string> = JSON.parse('{"__proto__": "p", "toString": "t", "constructor": "c"}')
    expect(interpolateTemplate('{{__proto__}}{{toString}}{{constructor}}', own)).toEqual({
      value: 'ptc',
      diagnostics: [],
    })
  })

  test('inherited properties are not captured', () => {
    const heir: Record<string, string> = Object.create({ inherited: 'x' })
    expect(interpolateTemplate('<{{inherited}}>', heir)).toMatchObject({
      value: '<>',
      diagnostics: [{ code: 'W-004' }],
    })
  })

  test('an object without a prototype works', () => {
    const bare: Record<string, string> = Object.assign(Object.create(null), { a: '1' })
    expect(interpolateTemplate('{{a}}{{toString}}', bare)).toMatchObject({
      value: '1',
      diagnostics: [{ code: 'W-004' }],
    })
  })

  test('only strings are captured values', () => {
    const wrong = { a: null, b: 5 } as unknown as Record<string, string>
    expect(interpolateTemplate('<{{a}}{{b}}>', wrong)).toMatchObject({ value: '<>', diagnostics: [{}, {}] })
  })
})

test.each([
  ['{{a}}', true],
  ['\\{{', true],
  ['{ {', false],
  ['}}', false],
])('hasTemplate(%j) is %s', (text, expected) => {
  expect(hasTemplate(text)).toBe(expected)
})
