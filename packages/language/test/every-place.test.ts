/** Properties that hold at every position of real documents. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { editText } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../../scripts/repository.ts'
import { createLanguage, type Finding, type TextFile } from '../src/index.ts'
import { readText } from '../src/text/reading.ts'
import { attack, languageOver } from './cursor.ts'

const root = repositoryRoot()
const sequential = join(root, 'examples/agents/sequential')
const agents = Object.fromEntries(
  readdirSync(sequential)
    .filter((name) => name.endsWith('.agf.yaml'))
    .map((name) => [name, readFileSync(join(sequential, name), 'utf8')]),
)
const language = languageOver(agents)
const lead: TextFile = { name: 'agent.agf.yaml', text: agents['agent.agf.yaml'] ?? '' }
const relay: TextFile = {
  name: 'relay.oatf.yaml',
  text: readFileSync(join(root, 'library/cross-agent-relay.oatf.yaml'), 'utf8'),
}
const attackFile: TextFile = { name: 'a.oatf.yaml', text: attack }
const files = [attackFile, relay, lead]

const codes = (findings: readonly Finding[]) => findings.map(({ code }) => code).sort()

/** An offset in each word and in each gap. */
function places(text: string): number[] {
  return [...text.matchAll(/[\w$-]+|[^\w$\s-]+|\n */g)].map(({ index, 0: word }) => index + Math.ceil(word.length / 2))
}

/** True for valid YAML. */
async function isWhole(file: TextFile): Promise<boolean> {
  return !codes(await language.diagnose(file)).includes('syntax')
}

describe('completion', () => {
  test.each(files)('$name: every edit covers the cursor and results in YAML', async (file) => {
    for (const offset of places(file.text)) {
      const results = await language.complete(file, offset)
      expect(new Set(results.map(({ label }) => label)).size, file.text.slice(offset - 20, offset)).toBe(results.length)
      for (const { edit } of results) {
        expect(edit.start).toBeLessThanOrEqual(offset)
        expect(edit.end).toBeGreaterThanOrEqual(offset)
      }
    }
    const sample = fc.sample(fc.constantFrom(...places(file.text)), { numRuns: 12, seed: 7 })
    for (const offset of sample) {
      const [first] = (await language.complete(file, offset)).filter(({ kind }) => kind !== 'key')
      if (first === undefined) continue
      const text = editText(file.text, [first.edit])
      expect(await isWhole({ ...file, text }), `${first.label} at ${offset}`).toBe(true)
    }
  })

  test('the existing value is among the completions', async () => {
    const fields = ['mode', 'surface', 'event', 'direction', 'tier', 'protocol', 'target', 'actor', 'source', 'type']
    const written = new RegExp(`^ *(?:- )?(?:${fields.join('|')}): ([\\w./[\\]*-]+)$`, 'gm')
    const results = [...attack.matchAll(written)]
    expect(results.length).toBeGreaterThan(12)
    for (const match of results) {
      const offset = match.index + match[0].length
      const labels = (await language.complete(attackFile, offset)).map(({ label }) => label)
      expect(labels, match[0].trim()).toContain(match[1])
    }
  })

  test.each(files)('$name: the existing key is among the completions', async (file) => {
    const missed: string[] = []
    for (const { path, key } of readText(file.text).entries) {
      // The keys below these are free.
      if (key === undefined || /^(?:properties|args_match)$/.test(String(path.at(-2)))) continue
      if (path.indexOf('x-joust-placebo') >= 0 && path.at(-1) !== 'x-joust-placebo') continue
      const labels = (await language.complete(file, key.start + 1)).map(({ label }) => label)
      if (!labels.includes(String(path.at(-1)))) missed.push(path.join('.'))
    }
    expect(missed).toEqual([])
  })

  test.each(files)('$name: a completed key is a key to the parser', async (file) => {
    let tried = 0
    for (const { index, 1: margin = '' } of file.text.matchAll(/^( +)(?=\w+:)/gm)) {
      const results = (
        await language.complete({ ...file, text: opened(file.text, index, margin) }, index + margin.length)
      )
        .filter(({ kind }) => kind === 'key')
        .slice(0, 3)
      for (const { label, edit } of results) {
        const text = editText(opened(file.text, index, margin), [{ ...edit, text: `${label}: null` }])
        const unknown = (await language.diagnose({ ...file, text })).filter(({ message }) =>
          /unknown field|not known/.test(message),
        )
        expect(
          unknown.map(({ message }) => message),
          `${label} at ${index}`,
        ).toEqual([])
        tried++
      }
    }
    expect(tried).toBeGreaterThan(30)
  })
})

/** A text with an indented empty line. */
function opened(text: string, index: number, margin: string): string {
  return `${text.slice(0, index)}${margin}\n${text.slice(index)}`
}

describe('rename', () => {
  test.each(files)('$name: keeps all findings, and can be undone', async (file) => {
    const before = codes(await language.diagnose(file))
    const done = new Set<number>()
    for (const offset of places(file.text)) {
      const span = language.renamable(file, offset)
      if (span === undefined || done.has(span.start)) continue
      done.add(span.start)
      const edits = language.rename(file, offset, 'quite_another')
      if (!edits.ok) throw new Error(edits.error)
      const renamed = { ...file, text: editText(file.text, edits.value) }
      expect(codes(await language.diagnose(renamed))).toEqual(before)
      const back = language.rename(
        renamed,
        renamed.text.indexOf('quite_another'),
        file.text.slice(span.start, span.end),
      )
      expect(back.ok && editText(renamed.text, back.value)).toBe(file.text)
    }
    expect(done.size).toBeGreaterThan(3)
  })

  test('rejects reserved and ambiguous names', () => {
    const actor = attack.indexOf('shop')
    for (const name of ['request', 'response', 'true', 'null', 'Shop', 'a b', 'a: b', ''])
      expect(language.rename(attackFile, actor, name), name).toMatchObject({ ok: false })
    for (const name of ['constructor', 'parent', 'a1'])
      expect(language.rename(attackFile, actor, name), name).toMatchObject({ ok: true })
    const phase = attack.indexOf('trust')
    for (const name of ['12', '1e3', '-', 'false'])
      expect(language.rename(attackFile, phase, name), name).toMatchObject({ ok: false })
    const alias = /alias: (\w+)/.exec(lead.text)
    expect(language.rename(lead, (alias?.index ?? 0) + 8, 'parent')).toEqual({
      ok: false,
      error: '"parent" is reserved: it refers to this agent in path expressions',
    })
  })
})

describe('fixes', () => {
  const broken: readonly (readonly [from: string, to: string])[] = [
    ['severity: high', 'severty: high'],
    ['severity: high', 'severity: hihg'],
    ['mode: mcp_server', 'mode: mcp_sever'],
    ['actor: shop', 'actor: shpo'],
    ['tier: boundary_breach', 'tier: boundary_breech'],
    ['surface: tools/call', 'surface: tool_call'],
    ['surface: tools/call', 'surface: tools/cal'],
    ['target: arguments', 'target: argumens'],
    ['event: tools/call', 'event: tools/cal'],
    ['{{ticket}}', '{{tickt}}'],
    ['direction: request', 'direction: requst'],
    ['source: request', 'source: requests'],
    [
      'inputSchema: { type: object }\n                  responses',
      'inputSchem: { type: object }\n                  responses',
    ],
    ['attack:\n', 'attack: # here\n'],
    ['      target: arguments\n', ''],
    ['      protocol: a2a\n', ''],
  ]

  test.each(broken)('%j written as %j: a fix removes its finding', async (from, to) => {
    const text = attack.replace(from, to)
    expect(text).not.toBe(attack)
    const file = { ...attackFile, text }
    const before = await language.diagnose(file)
    const results = await language.fixes(file, { start: 0, end: text.length }, before)
    expect(results.length).toBeGreaterThan(0)
    for (const { finding, edits, title } of results) {
      const after = await language.diagnose({ ...file, text: editText(text, edits) })
      expect(
        after.filter(({ code }) => code === 'syntax'),
        title,
      ).toEqual([])
      if (finding === undefined) continue
      // A key that was added is still empty, which is a different finding.
      const same = after.filter(({ code, message }) => code === finding.code && message === finding.message)
      const was = before.filter(({ code, message }) => code === finding.code && message === finding.message)
      expect(same.length, title).toBeLessThan(was.length)
    }
  })
})

describe('layout', () => {
  test.each(files)('$name: formatting keeps findings and comments, and is idempotent', async (file) => {
    const scattered = { ...file, text: file.text.replaceAll(/^( *)(\w+): (\w)/gm, '$1$2:   $3') }
    const text = editText(scattered.text, language.format(scattered))
    expect(codes(await language.diagnose({ ...file, text }))).toEqual(codes(await language.diagnose(file)))
    const comments = (of: string) => [...of.matchAll(/(?:^|\s)#[^\n]*/g)].map(([comment]) => comment.trim())
    expect(comments(text)).toEqual(comments(file.text))
    expect(language.format({ ...file, text })).toEqual([])
  })
})

describe('hover, outline and diagram', () => {
  test.each([relay, lead])('$name: every key has a hover text, down to messages and schemas', async (file) => {
    const silent: string[] = []
    for (const match of file.text.matchAll(/(?<=^ *(?:- )?|[{,] ?)([\w-]+):(?= |$)/gm)) {
      const offset = match.index + match[0].length - 1
      if (isInPlacebo(file.text, offset)) continue
      if ((await language.hover(file, offset, [])) === undefined) silent.push(match[1] ?? '')
    }
    // A word inside a scalar, not a key.
    expect(silent.filter((word) => word !== 'Remark')).toEqual([])
  })
})

describe('incomplete text', () => {
  test('truncated documents cause no error, and keep the outline above the cut', async () => {
    const alone = createLanguage()
    for (const file of files) {
      for (let at = 1; at < file.text.length; at += 211) {
        const cut = { ...file, text: file.text.slice(0, at) }
        const findings = await language.diagnose(cut)
        for (const { range } of findings) expect(range.end).toBeLessThanOrEqual(at)
        for (const offset of [at, Math.floor(at / 2)]) {
          await language.complete(cut, offset)
          await language.hover(cut, offset, findings)
          await language.definition(cut, offset)
          await language.references(cut, offset)
          await language.fixes(cut, { start: offset, end: offset }, findings)
          language.rename(cut, offset, 'x')
        }
        alone.format(cut)
        alone.links(cut)
      }
    }
    const cut = { ...attackFile, text: attack.slice(0, attack.indexOf('indicators:')) }
    const broken = { ...attackFile, text: `${cut.text}indicators:\n    - target: "argu` }
    expect(language.outline(broken)[0]?.children.map(({ name }) => name)).toEqual(['shop', 'peer', 'indicator 1'])
  })
})

/** True below the key of a placebo, whose values have the shape of the bait. */
function isInPlacebo(text: string, offset: number): boolean {
  const start = text.indexOf('x-joust-placebo:')
  const end = text.slice(start).search(/\n {0,2}\S/)
  return start >= 0 && offset > start + 'x-joust-placebo:'.length && (end < 0 || offset < start + end)
}
