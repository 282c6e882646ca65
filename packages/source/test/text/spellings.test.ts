import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginningAtEnd, findSpellings, hideSpellings } from '../../src/text/spellings.ts'

const SECRET = 'p/q&r s"t\\u+é'

const bytesOf = (text: string, digits: (byte: number) => string) =>
  [...new TextEncoder().encode(text)].map((byte) => `%${digits(byte)}`).join('')
const hex = (byte: number) => byte.toString(16).padStart(2, '0')

describe('a text is found', () => {
  test.each([
    ['as it is', SECRET],
    ['percent-encoded', encodeURIComponent(SECRET)],
    ['percent-encoded in lower case', encodeURIComponent(SECRET).replaceAll(/%../g, (code) => code.toLowerCase())],
    ['percent-encoded in part', SECRET.replace('/', '%2f').replace('q', '%71')],
    ['with every byte percent-encoded', bytesOf(SECRET, hex)],
    ['with every byte percent-encoded in upper case', bytesOf(SECRET, (byte) => hex(byte).toUpperCase())],
    ['in a form', new URLSearchParams([['', SECRET]]).toString().slice(1)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replace('/', '\\/')],
    ['in JSON with escaped ampersands', JSON.stringify(SECRET).slice(1, -1).replace('&', '\\u0026')],
    ['in JSON that is all escapes', [...SECRET].map((one) => `\\u${hex(one.charCodeAt(0)).padStart(4, '0')}`).join('')],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    [
      'in JSON in an address in JSON',
      JSON.stringify(encodeURIComponent(JSON.stringify(SECRET).slice(1, -1))).slice(1, -1),
    ],
    ['in HTML', SECRET.replace('&', '&amp;').replace('"', '&#34;').replace('/', '&#x2F;')],
  ])('%s', (_, spelled) => {
    const before = 'a%2fb \\n é '
    const span = { start: before.length, end: before.length + spelled.length }
    expect(findSpellings([SECRET], `${before}${spelled} c%`)).toContainEqual(span)
    expect(hideSpellings([SECRET], `${before}${spelled} c%`, '[-]')).toBe(`${before}[-] c%`)
  })

  test.each([
    ['p%40ss/word1', 'p%40ss\\/word1'],
    ['p%40ss/word1', 'p%40ss%2fword1'],
    ['p%40ss/word1', 'p%2540ss%2fword1'],
    ['p%40ss/word1', 'p%252540ss%252fword1'],
    ['p%40ss/word1', '%70%40ss\\u002fword1'],
    ['p%40ss/word1', encodeURIComponent(JSON.stringify('p%40ss/word1').slice(1, -1))],
    ['a&amp;b"word', 'a&amp;b\\"word'],
    ['a\\b%40"word', JSON.stringify('a\\b%40"word').slice(1, -1)],
    ['a\\\\n%40"word', JSON.stringify(JSON.stringify('a\\\\n%40"word').slice(1, -1)).slice(1, -1)],
    ['%f0%9f/😀', '%f0%9f\\/\\ud83d\\ude00'],
    ['p%40ss word+1', 'p%2540ss+word%2B1'],
  ])('that has escapes of its own: %s as %s', (secret, spelled) => {
    expect(hideSpellings([secret], `x%2f ${spelled} c%`, '[-]')).toBe('x%2f [-] c%')
    for (let length = 1; length < spelled.length; length++)
      expect(beginningAtEnd([secret], `text ${spelled.slice(0, length)}`).length).toBeGreaterThanOrEqual(length)
  })

  test('by its own escapes, not by their values', () => {
    expect(hideSpellings(['%61%62/%63'], 'ab/c %61%62/%63 %61%62\\/%63 %61b\\/c', '-')).toBe('ab/c - - %61b\\/c')
  })

  test('everywhere, and nothing else is', () => {
    expect(hideSpellings(['a/b', 'b'], 'a/b, a%2Fb, %61/b, %ff%61\\/b, %, \\', '-')).toBe('-, -, -, %ff-, %, \\')
    expect(hideSpellings(['a/b', ''], 'a-b %2F \\u12 &amp &#9999999999; %u', '-')).toBe(
      'a-b %2F \\u12 &amp &#9999999999; %u',
    )
  })
})

test('ranges refer to the original text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '%',
      '%2',
      '%e2%82%ac',
      '%f0%9f%98%80',
      '%80',
      '\\',
      '\\u',
      '\\u0041',
      '\\ud83d\\ude00',
      '&#x41;',
      '%u0041',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.string({ minLength: 1 }), (pieces, secret) => {
      const text = pieces.join('')
      for (const { start, end } of findSpellings([secret], `${text}${encodeURIComponent(secret)}`)) {
        expect(start).toBeLessThan(end)
        expect(end).toBeLessThanOrEqual(text.length + encodeURIComponent(secret).length)
      }
      expect(hideSpellings([secret], `${text} ${bytesOf(secret, hex)}`, '')).not.toContain(bytesOf(secret, hex))
    }),
  )
})

test('a percent-encoded byte that is not UTF-8 is plain text', () => {
  expect(findSpellings(['8'], '%80').every(({ start, end }) => start === 1 && end === 2)).toBe(true)
  expect(hideSpellings(['abc%8'], '%61bc%80', '[x]')).toBe('[x]0')
})

test('finds an end that may be the beginning of a secret', () => {
  const spelled = `k${encodeURIComponent('/&é€')}\\/z`
  const secret = 'k/&é€/z'
  for (let length = 1; length < spelled.length; length++)
    expect([length, beginningAtEnd([secret], `some text ${spelled.slice(0, length)}`).length]).toEqual([length, length])
  expect(beginningAtEnd([secret], `some text ${spelled}`)).toEqual({ length: 0, known: 0 })
  expect(beginningAtEnd([secret], 'some text k%2f%2')).toEqual({ length: 6, known: 2 })
  expect(beginningAtEnd([], 'some text %')).toEqual({ length: 0, known: 0 })
})

test('is linear for a long text full of escapes', () => {
  const text = '%25\\\\'.repeat(200_000)
  const begun = performance.now()
  findSpellings(['secret'], text)
  expect(performance.now() - begun).toBeLessThan(5000)
})

test('a secret full of escapes takes no longer than the text and its own length', () => {
  const begun = performance.now()
  for (const piece of ['\\', '%25', '&amp;']) {
    const secret = `${piece.repeat(30)}!`
    findSpellings([secret], piece.repeat(3000))
    beginningAtEnd([secret], piece.repeat(3000))
  }
  expect(performance.now() - begun).toBeLessThan(5000)
})
