import { expect, test } from 'vitest'
import { formatPath } from '../../src/model/path.ts'
import { read } from '../support.ts'

/** `kind text path offset` of each construct. */
function constructs(text: string): string[] {
  return read(text)
    .constructs()
    .map((construct) => `${construct.kind} ${construct.text} ${formatPath(construct.path)} ${construct.offset}`)
}

test.each<[string, string, string[]]>([
  ['plain data', 'a: [1, {b: "x"}]\nc: |\n  y', []],
  ['%YAML, which is not a construct', '%YAML 1.2\n---\na: 1', []],
  ['an anchor and an alias', 'a: &x 1\nb: *x', ['anchor &x a 3', 'alias *x b 11']],
  ['an anchor on a mapping', 'a: &x\n  b: 1', ['anchor &x a 3']],
  ['an anchor at the root', '&x\na: 1', ['anchor &x  0']],
  ['an anchor on a key', '&x a: 1', ['anchor &x a 0']],
  ['an anchor in a list', 'a:\n- 1\n- &x 2\n- [3, *x]', ['anchor &x a[1] 9', 'alias *x a[2][1] 20']],
  ['an anchor after a nested collection', 'a: {b: [1]}\nc: &x 2', ['anchor &x c 15']],
  ['an alias as a key', 'a: &x k\n*x : &y 1', ['anchor &x a 3', 'alias *x k 8', 'anchor &y k 13']],
  ['under a key that is a number', '0x10: &x 1', ['anchor &x 16 6']],
  ['a custom tag', 'a: !include x', ['tag !include a 3']],
  ['a custom tag at the very start', '!t x', ['tag !t  0']],
  ['custom tags on collections', 'a: !t [1]\nb: !<x> {c: 1}', ['tag !t a 3', 'tag !<x> b 13']],
  [
    'tags that are not of the core',
    'a: !!binary aGk=\nb: !!set {x}\nc: !!string y',
    ['tag !!binary a 3', 'tag !!set b 20', 'tag !!string c 33'],
  ],
  [
    'core tags on the wrong kind of node',
    'a: !!str [x]\nb: !!map y\nc: !!seq {z}',
    ['tag !!str a 3', 'tag !!map b 16', 'tag !!seq c 27'],
  ],
  ['the tag that is only a mark', 'a: ! 1', ['tag ! a 3']],
  ['core tags, which are none', 'a: !!str 1\nb: !!seq [1]\nc: !!map {}\nd: !<tag:yaml.org,2002:int> 1\ne: !!null', []],
  ['a tag before an anchor', 'a: !t &x 1', ['tag !t a 3', 'anchor &x a 6']],
  ['an anchor before a tag', 'a: &x !t 1', ['anchor &x a 3', 'tag !t a 6']],
  ['a merge key', 'a: &x {b: 1}\nc:\n  <<: *x', ['anchor &x a 3', 'merge key << c.<< 18', 'alias *x c.<< 22']],
  ['a merge key without an alias', '<<: {a: 1}', ['merge key << << 0']],
  ['<< that is not a merge key', '"<<": 1\na: <<\nb: {!!str <<: 2}', []],
  ['a tagged << at the very start', '!!str <<: 1', []],
  ['a tag directive', '# c\n%TAG !e! tag:x,1:\n---\na: !e!b 1', ['directive %TAG  4', 'tag !e!b a 29']],
  [
    'two tag directives',
    '\ufeff%TAG !e! tag:x,1:\r\n%TAG !f! tag:y,1:\r\n---\na: 1',
    ['directive %TAG  1', 'directive %TAG  20'],
  ],
])('finds %s', (_, text, expected) => {
  expect(constructs(text)).toEqual(expected)
})

test('returns the same list again', () => {
  const source = read('a: &x 1')
  expect(source.constructs()).toBe(source.constructs())
})

test('is linear in directives and tags', () => {
  const directives = Array.from({ length: 20_000 }, (_, index) => `%TAG !t${index}! tag:x,1:`).join('\n')
  expect(constructs(`${directives}\n---\n${'- !t1!a x\n'.repeat(20_000)}`)).toHaveLength(40_000)
})
