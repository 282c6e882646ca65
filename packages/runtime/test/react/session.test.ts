import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderPrompt } from '../../src/react/session.ts'

describe('renderPrompt', () => {
  it.each([
    ['Hi {{name}}.', { name: 'Ann' }, 'Hi Ann.'],
    ['{{ a.b.c }}', { a: { b: { c: 5 } } }, '5'],
    ['{{list}} {{record}}', { list: [1, 'x'], record: { z: 1, a: 2 } }, '[1,"x"] {"z":1,"a":2}'],
    ['{{flag}} {{nothing}}', { flag: false, nothing: null }, 'false null'],
    ['{{html}}', { html: '<b>&"' }, '<b>&"'],
    ['{{input}}!', 'text', 'text!'],
    ['{{input}}', [1, 2], '[1,2]'],
    ['{{a}}', { a: '{{b}}', b: 'not again' }, '{{b}}'],
    ['{{#each a}} {{> part}} {{{a}}} { {a} }', { a: 'x' }, '{{#each a}} {{> part}} {x} { {a} }'],
    [undefined, 'as it is', 'as it is'],
    [undefined, { b: 1, a: 2 }, 'b: 1\na: 2'],
    [undefined, { text: 'one\ntwo', list: [1] }, 'text:\none\ntwo\nlist: [1]'],
  ])('%j with %j', (template, input, text) => {
    expect(renderPrompt(template, input)).toEqual({ text, missing: [] })
  })

  it.each([
    ['{{gone}}', {}, ['gone']],
    ['{{a.gone}}', { a: {} }, ['a.gone']],
    ['{{a.length}}', { a: 'text' }, ['a.length']],
    ['{{constructor}}{{__proto__}}{{a.toString}}', { a: {} }, ['constructor', '__proto__', 'a.toString']],
  ])('%s omits missing values', (template, input, missing) => {
    expect(renderPrompt(template, input)).toEqual({ text: '', missing })
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (template, input) => void renderPrompt(template, input as never)),
    )
  })
})
