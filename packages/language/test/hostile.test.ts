import { shapes } from '@joust/source'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attack, languageOver } from './cursor.ts'

const language = languageOver({}, { project: { shape: shapes.object({}) } })

async function askEverything(name: string, text: string, offset: number): Promise<void> {
  const file = { name, text }
  const findings = await language.diagnose(file)
  for (const { range } of findings) {
    expect(range.start).toBeGreaterThanOrEqual(0)
    expect(range.end).toBeLessThanOrEqual(text.length)
  }
  for (const { edit } of await language.complete(file, offset)) expect(edit.end).toBeLessThanOrEqual(text.length)
  await language.hover(file, offset, findings)
  await language.definition(file, offset)
  await language.references(file, offset)
  await language.fixes(file, { start: offset, end: offset }, findings)
  await language.picture(file)
  language.outline(file)
  language.rename(file, offset, 'x')
  language.links(file)
  language.format(file)
}

const names = ['a.oatf.yaml', 'a.agf.yaml', 'joust.yaml', 'a.yaml']

test('no text makes it fall over', async () => {
  const piece = fc.constantFrom(
    'attack',
    ':',
    ' ',
    '\n',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '|',
    '{{',
    'x-joust-bait',
    'execution',
    'phases',
    'interface',
    '\t',
    '#',
    '*',
    '&a',
    '\r\n',
    '\ufeff',
    '🙂',
    '__proto__',
    'targets',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.array(piece, { maxLength: 40 }),
      fc.nat(),
      async (name, parts, at) => {
        const text = parts.join('')
        await askEverything(name, text, at % (text.length + 1))
      },
    ),
    { numRuns: 100 },
  )
})

test('no line is too long for it', async () => {
  const pairs = Array.from({ length: 20_000 }, (_, index) => `k${index}: [v, {a: b}]`).join(', ')
  for (const end of [' ', '}']) {
    const text = `oatf: "0.1"\nattack: {${pairs}${end}`
    await askEverything('a.oatf.yaml', text, text.length)
  }
})

test('no cut through an attack makes it fall over', async () => {
  for (let at = 0; at < attack.length; at += 211) await askEverything('a.oatf.yaml', attack.slice(0, at), at)
})
