import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import type { TraceItem } from '@joust/results'
import { expect, test } from 'vitest'
import { type ReportData, TRACE_SEPARATOR, type TraceHead, traceBlockId } from '../../src/components/data.ts'
import { clientScript } from '../../src/html/client-script.ts'
import { renderHtml, withoutFolders } from '../../src/html/report.ts'
import { redacted } from '../results.ts'
import { attack, entry, messages, opening, results, trial } from './sample.ts'

/** The text of a block, as the page reads it. */
function block(html: string, id: string): string {
  const start = html.indexOf(`id="${id}">`)
  const text = html.slice(start + id.length + 6, html.indexOf('</script', start))
  return gunzipSync(Buffer.from(text, 'base64')).toString()
}

const reportOf = (html: string): ReportData => JSON.parse(block(html, 'report'))

/** The lines of a trace, the first of which describes it. */
function traceIn(html: string, [run = 0, attack = 0, trial = 0]: readonly number[] = []): readonly string[] {
  const { block: number, part } = reportOf(html).traces[run]?.[attack]?.[trial] ?? { block: 0, part: 0 }
  return block(html, traceBlockId(number)).split(TRACE_SEPARATOR)[part]?.split('\n') ?? []
}
const headOf = (html: string): TraceHead => JSON.parse(traceIn(html)[0] ?? '')
const linesOf = (html: string, place: readonly number[] = []) => traceIn(html, place).slice(1)

test('contains the results, their summaries, and each message as a line', async () => {
  const given = results([attack('a')])
  const html = await renderHtml(given, opening(messages))
  const report = reportOf(html)
  const { targets, ...rest } = given
  expect(report.runs[0]).toMatchObject({ target: { name: targets[0]?.name }, results: rest })
  expect(headOf(html).attack).toEqual(targets[0]?.attacks[0])
  expect(report.traces).toEqual([[[{ block: 0, part: 0, messages: 6, leftOut: 0, shortened: 0 }]]])
  expect(linesOf(html).map((line) => JSON.parse(line))).toEqual(messages.map(({ content }) => content))
  expect(headOf(html).messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
})

test('the first page has outcomes, and the details of an attack are once beside its first trace', async () => {
  const suspicious = { ...trial(1), outcome: 'inconclusive' as const, reasons: ['it was cut'] }
  const given = attack('a', { trials: [suspicious, trial(2)] }, { text: 'oatf: "0.1"\n' })
  const html = await renderHtml(results([given, attack('none', { trials: [] })]), opening(messages))
  const [brief, untried] = reportOf(html).runs[0]?.target.attacks ?? []
  expect(brief?.attack.text).toBeUndefined()
  expect(brief?.trials.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'exploited'])
  // The first page warns of an inconclusive outcome with a match.
  expect(brief?.trials.map(({ verdict }) => verdict.indicator_verdicts.length)).toEqual([1, 0])
  expect(JSON.stringify(brief)).not.toMatch(/planted|it took too long|7311/)
  expect(headOf(html).attack).toEqual(given)
  expect(JSON.parse(traceIn(html, [0, 0, 1])[0] ?? '')).not.toHaveProperty('attack')
  // Without a trace there is no other place for it.
  expect(untried?.exposure).toEqual(trial(1).exposure)
})

test('the script stands before the traces, which it does not need for the first view', async () => {
  const html = await renderHtml(results([attack('a')]), opening(messages))
  const places = ['id="report"', clientScript, `id="${traceBlockId(0)}"`].map((text) => html.indexOf(text))
  expect(Math.min(...places)).toBeGreaterThan(0)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('makes no requests and allows only its own script and style', async () => {
  const html = await renderHtml(results([]), opening([]))
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
  const hashOf = (element: RegExp) =>
    `'sha256-${createHash('sha256')
      .update(element.exec(html)?.[1] ?? '')
      .digest('base64')}'`
  const [script, style] = [hashOf(/<script>([\s\S]*?)<\/script>/), hashOf(/<style>([\s\S]*?)<\/style>/)]
  expect(policy).toContain(`default-src 'none'; script-src ${script}; style-src ${style}; base-uri 'none'`)
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/unsafe|https?:|data:/)
  expect(html).not.toMatch(/(?:src|href)="|url\(|@import /)
})

test('an empty report is under 150 kB, lists the licences of its dependencies, and contains no local paths', async () => {
  const html = await renderHtml(results([]), opening([]))
  expect(html.length).toBeLessThan(150_000)
  expect(html).toMatch(/preact [\d.]+, MIT, Copyright/)
  expect(html).not.toMatch(/\/(?:home|work|Users|tmp|root)\//)
  const told = await renderHtml(
    results([attack('a', { file: '/home/me/a.oatf.yaml' })], '/opt/me/agent.js'),
    opening([]),
  )
  expect(reportOf(told).runs[0]?.target).toMatchObject({ name: 'agent.js', attacks: [{ file: 'a.oatf.yaml' }] })
})

test('the script cannot end its element and never creates markup from text', () => {
  expect(() => new Script(clientScript)).not.toThrow()
  expect(clientScript).not.toMatch(/<\/script|<!--/i)
  const folder = new URL('../../src/components/', import.meta.url)
  const ways =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\b|new Function|javascript:|cssText/
  for (const file of readdirSync(folder).filter((name) => name.endsWith('x')))
    expect(readFileSync(new URL(file, folder), 'utf8'), file).not.toMatch(ways)
})

test('text of a trace cannot end its block', async () => {
  const hostile = '</script><script>alert(1)</script><!--<script>\u2028\u2029\u202e\u001b[31m\u0085'
  const attacks = [attack('a', {}, { name: hostile })]
  const html = await renderHtml(results(attacks, hostile), opening([entry(1, { content: { [hostile]: hostile } })]))
  expect(html.match(/<script/g)).toHaveLength(3)
  expect(html.match(/<\/script/g)).toHaveLength(3)
  for (const steering of '\u2028\u2029\u202e\u001b\u0085') expect(html).not.toContain(steering)
  expect(JSON.parse(linesOf(html)[0] ?? '')).toEqual({ [hostile]: hostile })
  expect(reportOf(html).runs[0]?.target.name).toBe(hostile)
})

test('beyond the message limit only deciding messages are kept, and the gaps are counted', async () => {
  const many = Array.from({ length: 20 }, (_, place) => entry(place + 1))
  const verdict = {
    ...trial(1).verdict,
    indicator_verdicts: [
      {
        indicator_id: 'leak',
        result: 'matched' as const,
        entry: { seq: 15, actor: 'server', phase: 'calm', surface: 'tools/call', flow: 'in' as const },
      },
    ],
  }
  const html = await renderHtml(results([attack('a', { trials: [trial(1, { verdict })] })]), opening(many), {
    messages: 10,
  })
  const { messages: kept, leftOut } = headOf(html)
  expect(kept.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15])
  expect([kept.at(-1)?.leftOut, leftOut]).toEqual([4, 5])
  expect(reportOf(html).traces[0]?.[0]?.[0]).toMatchObject({ messages: 20, leftOut: 9 })
})

test('the characters of all traces are limited; a small trace leaves its share to the others', async () => {
  const long = Array.from({ length: 30 }, (_, place) => entry(place + 1, { content: 'x'.repeat(1000) }))
  const given = results([attack('a', { trials: [trial(1), trial(2)] })])
  const open = (trace: string) => (trace === 'traces/1.jsonl' ? opening([])() : opening(long)())
  const html = await renderHtml(given, open, { characters: 20_000 })
  const kept = linesOf(html, [0, 0, 1]).length
  expect(kept).toBeGreaterThan(15)
  expect(kept).toBeLessThan(22)
  expect(reportOf(html).traces[0]?.[0]?.[1]?.leftOut).toBe(30 - kept)
})

test('a long message is truncated; deciding messages have a higher limit', async () => {
  const given = results([attack('a')])
  const long = [entry(4, { content: 'y'.repeat(500) }), entry(5, { content: 'z'.repeat(500) })]
  const html = await renderHtml(given, opening(long), { message: 100, decidingMessage: 1000 })
  expect(linesOf(html).map((line) => JSON.parse(line).length)).toEqual([100, 500])
  expect(headOf(html).messages.map(({ characters }) => characters)).toEqual([502, undefined])
  expect(reportOf(html).traces[0]?.[0]?.[0]?.shortened).toBe(1)
})

test('an invalid line is shown among the messages, and an incomplete trace up to its error', async () => {
  async function* broken(): AsyncIterable<TraceItem> {
    yield { ok: true, value: entry(1) }
    yield {
      ok: false,
      error: { severity: 'error', code: 'trace-malformed', spec_ref: '§9.1', message: 'line 3: not JSON' },
    }
    throw new Error('the disk is gone')
  }
  const html = await renderHtml(results([attack('a')]), broken)
  expect(headOf(html).messages).toMatchObject([{ seq: 1 }, { seq: 0, malformed: 'line 3: not JSON', broken: true }])
  expect(reportOf(html).traces[0]?.[0]?.[0]).toMatchObject({ messages: 1, fault: 'the disk is gone' })
})

test('values nested too deeply for the stack are included', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const html = await renderHtml(results([attack('a')]), opening([entry(1, { content: JSON.parse(deep) })]))
  expect(linesOf(html)[0]).toBe(deep)
})

test('large integers keep all digits', async () => {
  const html = await renderHtml(
    results([attack('a')]),
    opening([entry(1, { content: { name: 9007199254740993n, of: [2n ** 64n - 1n] } })]),
  )
  expect(linesOf(html)[0]).toBe('{"name":9007199254740993,"of":[18446744073709551615]}')
})

test('the targets of one file are shown side by side, each with its traces', async () => {
  const [first, second] = [results([attack('a')]), results([attack('a'), attack('b')], 'other')]
  const html = await renderHtml(
    redacted({ ...first, targets: [...first.targets, ...second.targets] }),
    opening(messages),
  )
  const { runs, traces } = reportOf(html)
  expect(runs.map(({ target }, run) => [target.name, traces[run]?.length])).toEqual([
    ['help-desk', 1],
    ['other', 2],
  ])
  expect(linesOf(html, [1, 1, 0])).toHaveLength(6)
})

test('simulated agents with equal outcomes produce a note', async () => {
  const both = [results([attack('a')], 'sim/credulous'), results([attack('a')], 'sim/cautious')]
  const html = await renderHtml(both, opening(messages))
  expect(reportOf(html).notes).toEqual([expect.stringContaining('not discriminating')])
  expect(reportOf(html).runs).toHaveLength(2)
})

test('local folders are removed from every field', () => {
  const given = {
    name: 'node /home/me/work/agent.js --port 1',
    file: '/home/my name/attacks/leak.oatf.yaml',
    details: { file: 'C:\\Users\\me\\clerk.agf.yaml', url: 'http://127.0.0.1:1/a/b/c' },
    wiring: ['server at /mcp/1', "spawn '/opt/x/y/tool' failed"],
  }
  expect(withoutFolders(given)).toEqual({
    name: 'node agent.js --port 1',
    file: 'leak.oatf.yaml',
    details: { file: 'clerk.agf.yaml', url: 'http://127.0.0.1:1/a/b/c' },
    wiring: ['server at /mcp/1', "spawn 'tool' failed"],
  })
})

test('paths in quoted text are kept as evidence', () => {
  const said = { answer: 'I read /home/me/.ssh/id_rsa', match: { value: '/etc/ssl/private/key' } }
  expect(withoutFolders(said)).toEqual(said)
  const attack = { name: 'Reads /etc/ssl/private/key', text: '/a/b/c/d', description: 'opens /a/b/c' }
  expect(withoutFolders({ attack })).toEqual({ attack })
  expect(withoutFolders({ attack: { name: '/home/me/broken.yaml' } })).toEqual({ attack: { name: 'broken.yaml' } })
})
