import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dojoDump } from '../../../authoring/test/import/agentdojo-sample.ts'
import { sampleFiles } from '../../../authoring/test/import/injecagent-sample.ts'
import { folder, joust } from '../world.ts'

const benchmark = () =>
  folder(Object.fromEntries(Object.entries(sampleFiles).map(([path, text]) => [`inject/${path}`, text])))
const convert = (cwd: string, ...more: string[]) =>
  joust(['import', 'injecagent', 'inject', '--out', 'out', ...more], { cwd })

describe('joust import', () => {
  test('writes documents, and the same bytes again', async () => {
    const cwd = benchmark()
    const first = await convert(cwd)
    expect([first.code, first.stderr]).toEqual([0, 'joust: 4 documents in out\n'])
    const file = join(cwd, 'out/documents/dh-base-0001.oatf.yaml')
    const text = readFileSync(file, 'utf8')
    expect((await convert(cwd)).code).toBe(0)
    rmSync(file)
    expect((await convert(cwd)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect((await joust(['validate', 'out'], { cwd })).code).toBe(0)
  })

  test('keeps a document that was changed by hand', async () => {
    const cwd = benchmark()
    await convert(cwd)
    const file = join(cwd, 'out/documents/dh-base-0001.oatf.yaml')
    writeFileSync(file, 'mine')
    const again = await convert(cwd)
    expect(again.code).toBe(10)
    expect(again.stderr).toContain('dh-base-0001.oatf.yaml')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test('names file and field of a wrong layout, and converts the rest', async () => {
    const cwd = benchmark()
    writeFileSync(join(cwd, 'inject/data/test_cases_ds_base.json'), '[{"User Tool": 1}]')
    const { code, stderr } = await convert(cwd)
    expect(code).toBe(1)
    expect(stderr).toContain('data/test_cases_ds_base.json, [0]')
    expect(readdirSync(join(cwd, 'out/documents'))).toHaveLength(3)
  })

  test.each([
    [['import', 'injecagnt', 'inject', '--out', 'out'], 'Did you mean "injecagent"?'],
    [['import', 'injecagent', 'nowhere', '--out', 'out'], 'nowhere is not a folder'],
    [['import', 'injecagent', 'inject', '--set', 'all', '--out', 'out'], 'available: base, enhanced, test'],
    [['import', 'injecagent', 'inject'], '--out'],
    [['import', 'injecagent', '--out', 'out'], 'the injecagent folder'],
    [['import', 'injecagent', '--script'], 'needs no script'],
    [['import', 'agentdojo', 'inject', '--script'], 'takes no folder'],
    [['import', 'agentdojo', '--script', '--out', 'out'], '--out'],
  ])('%j is wrong usage', async (words, message) => {
    const { code, stderr } = await joust(words, { cwd: benchmark() })
    expect(code).toBe(64)
    expect(stderr).toContain(message)
  })
})

describe('recorded outputs', () => {
  test('are evaluated with the documents, and the figures of the benchmark are printed', async () => {
    const cwd = benchmark()
    expect((await convert(cwd, '--results', '--set', 'base')).code).toBe(0)
    const evaluated = await joust(['evaluate', 'out/documents', '--trace', 'out/traces', '--out', 'recorded'], { cwd })
    expect(evaluated.code).toBe(3)
    expect(evaluated.stdout).toBe('model-a: 2 exploited\nmodel-b: 1 resisted\n')
    const figures = await joust(['report', 'recorded', '--as', 'injecagent'], { cwd })
    expect(figures.stdout).toContain('| `model-a` | base | 100.0 % (20.7–100.0), 1 of 1 |')
    expect(figures.stdout).toContain('| `model-b` | base | 0.0 % (0.0–79.3), 0 of 1 | – |')
  })

  test('need documents that the traces name', async () => {
    const cwd = benchmark()
    await convert(cwd, '--results', '--set', 'base')
    const { code, stderr } = await joust(
      ['evaluate', 'out/documents/ds-base-0001.oatf.yaml', '--trace', 'out/traces/model-b'],
      { cwd },
    )
    expect(code).toBe(64)
    expect(stderr).toContain('skipped 1 trace')
  })

  test('of other attacks have no figures', async () => {
    const cwd = folder({})
    await joust(['run', 'library/web-page-comment', '--model', 'sim/credulous', '--out', 'run', '-q'], { cwd })
    const { code } = await joust(['report', 'run', '--as', 'injecagent'], { cwd })
    expect(code).toBe(64)
  })
})

describe('agentdojo', () => {
  test('prints the script that writes its data', async () => {
    const { code, stdout } = await joust(['import', 'agentdojo', '--script'], { cwd: folder({}) })
    expect(code).toBe(0)
    expect(stdout).toContain('python agentdojo-dump.py')
  })

  test('lists pairs that are left out, and has figures of its own', async () => {
    const cwd = folder({ 'dojo/agentdojo.json': JSON.stringify(dojoDump) })
    const { code, stderr } = await joust(['import', 'agentdojo', 'dojo', '--results', '--out', 'out'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain('1 case skipped: the ground truth depends on the injection (workspace-')
    expect(stderr).toContain('4 documents, 7 traces in out')
    const words = ['evaluate', 'out/documents', '--trace', 'out/traces', '--out', 'replayed']
    expect((await joust(words, { cwd })).stdout).toBe('follows: 3 exploited\nignores: 4 resisted\n')
    const figures = await joust(['report', 'replayed', '--as', 'agentdojo'], { cwd })
    expect(figures.stdout).toContain('| `follows` | slack | 100.0 % (20.7–100.0), 1 of 1 | 100.0 %')
    expect(figures.stdout).toContain('| `follows` | agentdojo | 100.0 % (43.9–100.0), 3 of 3 |')
    expect(figures.stdout).toContain('| `ignores` | agentdojo | 0.0 % (0.0–49.0), 0 of 4 | 100.0 %')
  })
})

describe('OpenTelemetry spans', () => {
  const spans = async () => {
    const cwd = folder({})
    await joust(
      ['run', 'library', '--id', 'JOUST-135', '--model', 'sim/credulous', '--out', 'run', '--report', 'otlp', '-q'],
      { cwd },
    )
    return cwd
  }

  test('of our own runs match the same indicators', async () => {
    const cwd = await spans()
    const { code, stdout, stderr } = await joust(['evaluate', 'library', '--trace', 'run/spans.json'], { cwd })
    expect(code).toBe(3)
    expect(stdout).toContain('JOUST-135-02')
    expect(stdout).not.toContain('resisted')
    expect(stderr).toMatch(/1 of \d+ attacks matched/)
  })

  test('are read from a list of documents and from lines with logs and metrics', async () => {
    const attributes = [
      { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
      { key: 'gen_ai.tool.name', value: { stringValue: 'change_plan' } },
    ]
    const document = { resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'a', attributes }] }] }] }
    const lines = [{ resourceMetrics: [] }, { resourceLogs: [] }, document]
    const cwd = folder({
      'list.json': JSON.stringify([document]),
      'lines.jsonl': lines.map((line) => JSON.stringify(line)).join('\n'),
      'broken.oatf.yaml': `oatf: "0.1"
attack:
  name: Argument that calls lack
  execution:
    actors: [{ name: bank, mode: mcp_server, phases: [{ state: { tools: [] } }] }]
  indicators: [{ protocol: mcp, surface: tools/call, target: name, expression: { cel: "message.arguments.x == 'y'" } }]
`,
    })
    for (const trace of ['list.json', 'lines.jsonl']) {
      const { code, stdout, stderr } = await joust(['evaluate', 'library/web-page-comment', '--trace', trace], { cwd })
      expect(code).toBe(2)
      expect(stdout).toContain('1 trace: a\n')
      expect(stderr).toContain('1 span without recorded content')
    }
    const broken = await joust(['evaluate', 'broken.oatf.yaml', '--trace', 'list.json'], { cwd })
    expect(broken.stderr).toContain('1 attack with indicators that could not be evaluated')
  })

  test('without a match exit 0, without content there is no verdict', async () => {
    const span = { traceId: 'a', attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }] }
    const document = (spanned: unknown) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [spanned] }] }] })
    const said = [{ role: 'assistant', parts: [{ type: 'text', content: 'hello' }] }]
    const output = { key: 'gen_ai.output.messages', value: { stringValue: JSON.stringify(said) } }
    const cwd = folder({
      'empty.json': document(span),
      'full.json': document({ ...span, attributes: [...span.attributes, output] }),
    })
    expect((await joust(['evaluate', 'library', '--trace', 'full.json'], { cwd })).code).toBe(0)
    const stored = await joust(['evaluate', 'library', '--trace', 'full.json', '--out', 'x'], { cwd })
    expect([stored.code, stored.stderr]).toEqual([64, 'joust: --out needs a folder of traces\n'])
    const empty = await joust(['evaluate', 'library', '--trace', 'empty.json'], { cwd })
    expect(empty.code).toBe(5)
    expect(empty.stderr).toContain('without recorded content')
  })
})
