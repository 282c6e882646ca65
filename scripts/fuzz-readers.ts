/** What reads a text and must answer, whatever it says: documents, agents, results and whatever else lies in files. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAgent } from '@joust/agentformat'
import { ArenaError, createTraceAssessor, openSuiteFolder, readResults, readTrace } from '@joust/arena'
import { openCassette } from '@joust/arena/cassette'
import { lint, load, parse, serialize, translateDialects, validate } from '@joust/oatf'
import { loadBindings } from '@joust/runtime'
import { readScript } from '@joust/sim'
import { formatText, patchText, readJson, readSource } from '@joust/source'
import { repositoryRoot } from './repository.ts'

const root = repositoryRoot()

/** Gets a text, and a folder that is its own. */
export type Reader = (text: string, folder: string) => unknown

const ATTACK = readFileSync(join(root, 'library/time-bomb.oatf.yaml'), 'utf8')

export const readers: Readonly<Record<string, Reader>> = {
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
  script: (text) => readScript(text),
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
  cassette,
}

/** Plays a cassette back: what is not there, or not one, is an `ArenaError`. */
async function cassette(text: string, folder: string): Promise<void> {
  const scope = { attack: 'a.oatf.yaml', trial: 1 }
  const tapes = join(folder, 'tapes')
  if (mkdirSync(tapes, { recursive: true }) !== undefined) openCassette(tapes, 'record', scope).close()
  for (const name of readdirSync(tapes)) writeFileSync(join(tapes, name), text)
  try {
    const played = openCassette(tapes, 'replay', scope)
    played.recorded('openai.chat/m')
    const signal = new AbortController().signal
    const answer = await played.http()({ method: 'POST', url: 'http://127.0.0.1:1/', body: '{}', signal })
    for await (const _ of answer.body);
  } catch (thrown) {
    if (!(thrown instanceof ArenaError)) throw thrown
  }
}

async function* pieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 97) yield text.slice(at, at + 97)
}

/** Documents of ours, messages, and what was found before. */
export function readCorpus(...places: readonly string[]): string[] {
  return places.flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ya?ml|jsonl?|txt)$/.test(name))
      .sort()
      .map((name) => readFileSync(join(root, place, name), 'utf8')),
  )
}
