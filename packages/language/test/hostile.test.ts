import { editText, shapes } from '@joust/source'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languageLimits } from '../src/text/limits.ts'
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

test('no text causes an error', async () => {
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

test('long lines are handled', async () => {
  const pairs = Array.from({ length: 20_000 }, (_, index) => `k${index}: [v, {a: b}]`).join(', ')
  for (const end of [' ', '}']) {
    const text = `oatf: "0.1"\nattack: {${pairs}${end}`
    await askEverything('a.oatf.yaml', text, text.length)
  }
})

test('the numbers of findings and fixes are limited', async () => {
  const wrong = Array.from({ length: 2000 }, (_, index) => `    - targt: x${index}\n`).join('')
  const file = { name: 'a.oatf.yaml', text: `oatf: "0.1"\nattack:\n  execution: {}\n  indicators:\n${wrong}` }
  const findings = await language.diagnose(file)
  expect(findings).toHaveLength(languageLimits.findings)
  const fixes = await language.fixes(file, { start: 0, end: file.text.length }, findings)
  expect(fixes.filter(({ finding }) => finding !== undefined).length).toBeLessThanOrEqual(languageLimits.fixedFindings)
  const [, all] = fixes.filter(({ finding }) => finding === undefined)
  expect(editText(file.text, all?.edits ?? []).match(/^ {4}- id: indicator-\d+\n {6}targt: /gm)).toHaveLength(2000)
})

test('no truncated attack causes an error', async () => {
  for (let at = 0; at < attack.length; at += 211) await askEverything('a.oatf.yaml', attack.slice(0, at), at)
})
