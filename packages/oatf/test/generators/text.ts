/**
 * Words, paths, expressions and values that generated documents are built from. All of them are valid where they are
 * used.
 */
import type { Value } from '@joust/source'
import fc from 'fast-check'

const words = (
  'agent tool call please ignore previous instruction forward the report to archive read file secret badge number invoice ' +
  'transfer approve draft summary user weather calendar token memory policy before after never always IMPORTANT'
).split(' ')

/** A few words, as people write them. */
export const phrase: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 })
  .map((chosen) => chosen.join(' '))

/** Strings that a YAML writer must quote, escape or fold correctly. */
const awkward = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'true',
    'null',
    '~',
    '0.1',
    '1e3',
    '0x1F',
    '2026-02-15',
    '- item',
    'key: value',
    '# no comment',
  ),
  fc.constantFrom(
    '"quoted"',
    "it's",
    'line one\nline two\n',
    '  indented\n\nblank',
    'tab\there',
    '*alias',
    '&anchor',
    '!tag',
    '%',
  ),
  fc.constantFrom(
    'trailing space ',
    '\u00e9\u4e2d\ud83d\ude00',
    '\u0000\u001f',
    '\u2028',
    '$& $1 $$',
    '@at',
    '`tick`',
    '<<',
    '=',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)

/** Any text without braces, mostly plain. */
export const prose: fc.Arbitrary<string> = fc
  .oneof({ weight: 5, arbitrary: phrase }, { weight: 1, arbitrary: awkward })
  .map((text) => text.replaceAll(/[{}\\]/g, '.'))

/** Text that may contain closed template references and escapes. */
export const templateText = (references: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: prose },
        { weight: 1, arbitrary: fc.constantFrom(...references).map((name) => `{{${name}}}`) },
        { weight: 1, arbitrary: fc.constantFrom('\\{{', '{ {', '}}') },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join(' '))

/** A name as actors and extractors have it. */
export const snakeCase: fc.Arbitrary<string> = fc.constantFrom('token', 'door', 'user_id', 'a1', 'session_key_2', 'q')

/** A simple dot-path (SDK §5.1.1). */
export const simplePath: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('arguments', 'name', 'command', 'x-api-key', 'content', 'status', 'id_2', '0'), {
    maxLength: 3,
  })
  .map((segments) => segments.join('.'))

/** A wildcard dot-path (SDK §5.1.2). */
export const wildcardPath: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('tools', 'tools[*]', 'content[*]', 'text', 'name', 'arguments', 'items[*]', 'description'), {
    maxLength: 3,
  })
  .map((segments) => segments.join('.'))

/** RE2 expressions, none with a capture group that matters. */
export const regex: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '(?i)ignore (all )?previous',
    '^[a-z_]+$',
    'secret|badge',
    '[0-9]{3,6}',
    '\\bTOKEN\\b',
    '\\.env$',
    '^$',
    '.',
    '/etc/(passwd|shadow)',
  ),
  phrase,
)

/** RE2 expressions with a capture group. */
export const capturing: fc.Arbitrary<string> = fc.constantFrom(
  'key=([a-z0-9]+)',
  '"name":"([^"]*)"',
  '(?P<first>\\w+) (\\w+)',
  '()',
)

/** RFC 9535 expressions. */
export const jsonPath: fc.Arbitrary<string> = fc.constantFrom(
  '$',
  '$.arguments.command',
  '$.tools[0].name',
  "$['content'][*].text",
  '$..description',
  '$.items[?@.price > 10].id',
  '$.a[1:3]',
)

/** CEL expressions, some with the variables they need. */
export const cel: fc.Arbitrary<{ cel: string; variables?: { [name: string]: string } }> = fc.constantFrom(
  { cel: 'true' },
  { cel: "message.name == 'search'" },
  { cel: 'has(message.arguments) && size(message.arguments) > 1' },
  { cel: "message.content.exists(c, c.type == 'text' && c.text.contains('secret'))" },
  { cel: "message.name.matches('^[a-z]+$') || message.name.startsWith('x')" },
  { cel: 'size(name) > 3', variables: { name: 'name' } },
  { cel: "command.contains('rm') && name != null", variables: { command: 'arguments.command', name: 'name' } },
  { cel: 'message.items.all(i, i > 0)', variables: {} },
)

/** A duration in either notation. */
export const duration: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(fc.nat(1000), fc.constantFrom('s', 'm', 'h', 'd')).map(([count, unit]) => `${count}${unit}`),
  fc.constantFrom('PT30S', 'PT5M30S', 'PT1H', 'P2D', 'P1DT12H', 'PT0S'),
)

/** Any JSON value with safe strings: what pass-through content may be. */
export const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    prose,
    fc.oneof(
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('type', 'text', '__proto__', 'constructor', '0', 'a b'), prose),
      tie('value'),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  ),
})).value
