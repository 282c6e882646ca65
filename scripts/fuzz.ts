/** `npm run fuzz -- --minutes N [--seed S]`: mutated inputs through every reader. Nothing may throw or take longer than a few seconds. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseAgent } from '@joust/agentformat'
import { createTraceAssessor, openSuiteFolder, readResults, readTrace } from '@joust/arena'
import { lint, load, parse, serialize, translateDialects, validate } from '@joust/oatf'
import { loadBindings } from '@joust/runtime'
import { formatText, patchText, readJson, readSource } from '@joust/source'
import { repositoryRoot } from './repository.ts'

const root = repositoryRoot()

/** What takes an input and must answer, whatever it is. */
type Reader = (text: string, folder: string) => unknown

const ATTACK = readFileSync(join(root, 'library/time-bomb.oatf.yaml'), 'utf8')

const readers: Readonly<Record<string, Reader>> = {
  source: (text) => [readSource(text), readJson(text)],
  oatf(text) {
    const parsed = parse(text)
    if (!parsed.ok) return
    validate(parsed.value)
    lint(parsed.value)
    return serialize(parsed.value)
  },
  load: (text) => load(text),
  agent: (text) => parseAgent(text),
  dialects(text) {
    const source = readSource(text)
    return source.ok && translateDialects(source.value.value)
  },
  fmt: (text) => formatText(text),
  patch: (text) => patchText(text, { oatf: '0.1', attack: { name: 'x', list: [1, 'two', { three: 3 }] } }),
  results: (text) => readResults(text),
  async trace(text) {
    const attack = load(ATTACK)
    if (!attack.ok) throw new Error('the attack of the fuzzer does not load')
    const judge = createTraceAssessor(attack.value)
    for await (const item of readTrace(pieces(text))) await judge.add(item)
    return judge.finish()
  },
  async journal(text, folder) {
    writeFileSync(join(folder, 'journal.jsonl'), text)
    const opened = await openSuiteFolder(folder, { resume: true })
    if (opened.ok) await opened.value.journal.close()
  },
  async project(text, folder) {
    writeFileSync(join(folder, 'joust.yaml'), text)
    return loadBindings(join(folder, 'joust.yaml'), { environment: {}, loadsCode: () => false })
  },
}

async function* pieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 97) yield text.slice(at, at + 97)
}

/** Milliseconds after which an input counts as a find. */
const SLOW = 10_000

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
  const minutes = Number(values.minutes ?? 1)
  const seed = Number(values.seed ?? Date.now() % 1_000_000_007)
  const random = createRandom(seed)
  const corpus = readCorpus()
  const folder = mkdtempSync(join(tmpdir(), 'joust-fuzz-'))
  const end = Date.now() + minutes * 60_000
  const finds = new Set<string>()
  let inputs = 0
  process.stdout.write(`seed ${seed}, ${corpus.length} texts in the corpus\n`)
  try {
    for (let round = 0; Date.now() < end; round++) {
      const text = round < corpus.length ? (corpus[round] ?? '') : mutate(corpus, random)
      for (const [name, read] of Object.entries(readers)) {
        inputs += 1
        const fault = await faultOf(read, text, folder)
        if (fault === undefined || finds.has(`${name}: ${fault}`)) continue
        finds.add(`${name}: ${fault}`)
        process.stdout.write(`FOUND ${name}: ${fault}\n${JSON.stringify(text.slice(0, 2000))}\n`)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  process.stdout.write(`${inputs} inputs, ${finds.size} finds, seed ${seed}\n`)
  return finds.size === 0 ? 0 : 1
}

async function faultOf(read: Reader, text: string, folder: string): Promise<string | undefined> {
  const begun = performance.now()
  try {
    await read(text, folder)
  } catch (thrown) {
    return thrown instanceof Error
      ? (thrown.stack?.split('\n').slice(0, 3).join(' ') ?? thrown.message)
      : String(thrown)
  }
  return performance.now() - begun > SLOW ? 'it took too long' : undefined
}

/** Documents of ours, and what was found before. */
function readCorpus(): string[] {
  return ['library', 'examples/agents', 'scripts/fuzz-corpus'].flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ya?ml|jsonl?|txt)$/.test(name))
      .sort()
      .map((name) => readFileSync(join(root, place, name), 'utf8')),
  )
}

type Random = (below: number) => number

/** Mulberry32. */
function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

// biome-ignore format: a list
const spices = [
  '{', '}', '[', ']', ': ', '- ', '? ', '&a ', '*a', '!!int ', '<<: ', '|\n', '>-\n', '"', "'", '\\u0000', '\u0000', '\ufeff', '\u202e', '\ud800',
  '---\n', '...\n', '#', '%YAML 1.2\n', '\t', '\r', 'null', '.inf', '-0', '9'.repeat(40), '1e999', '__proto__', 'constructor', `\${X}`, '{{a.b}}',
  '(a+)+$', '[*]', '$..', '{"joust_trace":1}\n', '{"joust_journal":3,"identity":{}}\n', '{"version":2}', '~', 'true', '[['.repeat(60), '{a: '.repeat(60),
]

function mutate(corpus: readonly string[], random: Random): string {
  let text = corpus[random(corpus.length)] ?? ''
  if (text.length > 6000) text = text.slice(random(text.length - 3000)).slice(0, 6000)
  for (let times = 1 + random(6); times > 0; times--) {
    const at = random(text.length + 1)
    const length = random(40)
    const spice = spices[random(spices.length)] ?? ''
    const other = corpus[random(corpus.length)] ?? ''
    const from = random(other.length + 1)
    const changes = [
      () => text.slice(0, at) + spice + text.slice(at),
      () => text.slice(0, at) + text.slice(at + length),
      () => text.slice(0, at) + text.slice(at, at + length).repeat(1 + random(8)) + text.slice(at + length),
      () => text.slice(0, at) + other.slice(from, from + random(300)) + text.slice(at),
      () => text.slice(0, at) + String.fromCharCode(random(0x10000)) + text.slice(at + 1),
      () => text.slice(0, at),
    ]
    text = changes[random(changes.length)]?.() ?? text
  }
  return text
}

process.exitCode = await main()
