import { describe, expect, test } from 'vitest'
import { splitTemplate, type TemplatePart } from '../../src/primitives/template.ts'

const text = (value: string): TemplatePart => ({ kind: 'text', text: value })
const reference = (name: string): TemplatePart => ({ kind: 'reference', name })
const unclosed = (value: string): TemplatePart => ({ kind: 'unclosed', text: value })

describe('splitTemplate', () => {
  test.each<[template: string, parts: TemplatePart[]]>([
    ['', []],
    ['plain', [text('plain')]],
    ['{{a}}', [reference('a')]],
    ['x {{a}} y', [text('x '), reference('a'), text(' y')]],
    ['{{a}}{{b.c}}', [reference('a'), reference('b.c')]],
    ['{{ a }}', [reference(' a ')]],
    ['{{}}', [reference('')]],
    ['{a} {b', [text('{a} {b')]],
    ['}} {{a}} }}', [text('}} '), reference('a'), text(' }}')]],
    ['{{{a}}}', [reference('{a'), text('}')]],
    ['\\{{a}}', [text('{{a}}')]],
    ['{{a}}\\{{b}}{{c}}', [reference('a'), text('{{b}}'), reference('c')]],
    ['\\\\{{a}}', [text('\\{{a}}')]],
    ['\\{{\\{{', [text('{{{{')]],
    ['\\{{{a}}', [text('{{{a}}')]],
    ['C:\\temp {{a}}', [text('C:\\temp '), reference('a')]],
    ['{{a', [unclosed('{{a')]],
    ['x {{a}} {{b', [text('x '), reference('a'), text(' '), unclosed('{{b')]],
    ['{{b \\{{c', [unclosed('{{b {{c')]],
    ['{{', [unclosed('{{')]],
    ['{{a} }', [unclosed('{{a} }')]],
    ['{{a\nb}}', [reference('a\nb')]],
  ])('%j', (template, parts) => {
    expect(splitTemplate(template)).toEqual(parts)
  })

  test('a million braces take no time', () => {
    expect(splitTemplate('{{'.repeat(500_000))).toHaveLength(1)
    expect(splitTemplate('\\{{'.repeat(300_000))).toHaveLength(1)
    expect(splitTemplate('{{a}}'.repeat(200_000))).toHaveLength(200_000)
  })
})
