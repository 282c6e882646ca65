import { defaultLimits } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { celSyntaxError } from '../../src/adapters/cel-syntax.ts'

const outOfRange = (type: string) => `number out of range for ${type}`

describe('celSyntaxError', () => {
  test.each([
    'true',
    'message.tools.exists(t, t.name == "admin")',
    'a.b["c-d"][0] in [1, 2u, 3.5, -1, 0x1F]',
    '{"a": 1, "b": [true]}.a == 1 ? x : y',
    String.raw`"\n\t\\\"\x41\u00e9\U0001F600\101\?" + r"\q" + b"\377" + '''a"b'''`,
    '"(((" + \'[[[\' == "}"',
    '-9223372036854775808 < 18446744073709551615u',
    'undeclared(1, 2).function(3)',
    'a // a comment that the end of the text ends',
    '// first\n// second\na',
    '"not // a comment"',
    'has(a.b) && a.b.all(x, x.exists_one(y, y == 1))',
    'Message{field: 1}',
  ])('accepts %s', (expression) => {
    expect(celSyntaxError(expression)).toBeUndefined()
  })

  test.each([
    ['', 'the expression is empty'],
    [' \n', 'the expression is empty'],
    ['// nothing', 'the expression is empty'],
    ['message.tools.exists(t, t.name == )', 'syntax error at line 1, column 14 (`.exists(t, t.name ==`)'],
    ['a &&\n&& b', 'syntax error at line 1, column 3 (`&&`)'],
    ['"open', 'syntax error at line 1, column 1 (`"open`)'],
    ['if', 'reserved identifier at line 1, column 1 (`if`)'],
    ['a.`b-c`', 'syntax error at line 1, column 2 (`.`b-c``); write a field with a dash as a["b-c"], not a.`b-c`'],
    // The library's parser accepts all of these.
    [String.raw`"\q"`, String.raw`unknown escape \q at line 1, column 2 (${'`'}\q"${'`'})`],
    [String.raw`a == 'x\400'`, String.raw`unknown escape \4 at line 1, column 8 (${'`'}\400'${'`'})`],
    [String.raw`"\u12"`, String.raw`unknown escape \u at line 1, column 2 (${'`'}\u12"${'`'})`],
    ['has(a)', 'has() is used incorrectly'],
    ['[1].all(1, true)', 'all() is used incorrectly'],
    ['a.map(x)', 'map() is used incorrectly'],
    ['[1].exists_one(x.y, true)', 'exists_one() is used incorrectly'],
    ['9223372036854775808', outOfRange('int')],
    ['-9223372036854775809', outOfRange('int')],
    ['18446744073709551616u', outOfRange('uint')],
    ['1e999', outOfRange('double')],
  ])('refuses %j', (expression, message) => {
    expect(celSyntaxError(expression)).toBe(message)
  })

  test.each([
    ['source', `${' '.repeat(8192)}a`, 'the expression is over the limit celSource = 8192 (8193)'],
    ['nodes', `[${'1,'.repeat(10)}]`, 'the expression is over the limit celNodes = 10'],
    [
      'depth of brackets',
      `${'('.repeat(3000)}1${')'.repeat(3000)}`,
      'the expression is over the limit celDepth = 100 (3000)',
    ],
    ['depth of operators', `1${'+1'.repeat(2000)}`, 'the expression is over the limit celDepth = 100'],
    ['depth of a path', `a${'.a'.repeat(2000)}`, 'the expression is over the limit celDepth = 100'],
    ['depth of choices', `${'a?b:'.repeat(1500)}c`, 'the expression is over the limit celDepth = 100'],
  ])('the limit on %s', (_limit, expression, message) => {
    expect(celSyntaxError(expression, { ...defaultLimits, celNodes: message.includes('celNodes') ? 10 : 5000 })).toBe(
      message,
    )
  })

  test('a long row of conditions is not deep', () => {
    expect(celSyntaxError(Array.from({ length: 1000 }, () => 'a').join(' && '))).toBeUndefined()
  })
})
