/** `npm run fuzz -- --minutes N [--seed S]`: mutated inputs through every reader. Nothing may throw or take longer than a few seconds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom, mutate } from './fuzz-mutate.ts'
import { type Reader, readCorpus, readers } from './fuzz-readers.ts'
import { openWire } from './fuzz-wire.ts'

/** Milliseconds of work, and of waiting, after which an input counts as a find. Who shares a machine waits longer than he works. */
const WORK = 5000
const WAIT = 60_000
/** Connections take longer than texts: they get one input where the others get this many. */
const TEXTS_PER_MESSAGE = 25

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
  const end = Date.now() + Number(values.minutes ?? 1) * 60_000
  const seed = Number(values.seed ?? Date.now() % 1_000_000_007)
  const random = createRandom(seed)
  const messages = readCorpus('scripts/fuzz-corpus/wire')
  const texts = readCorpus('scripts/fuzz-corpus', 'library', 'examples/agents')
  const wire = await openWire()
  const finds = new Finds()
  process.on('unhandledRejection', (thrown) => finds.add('nobody waited for it', nameOf(thrown), ''))
  process.on('uncaughtException', (thrown) => finds.add('nobody caught it', nameOf(thrown), ''))
  process.stdout.write(`seed ${seed}, ${texts.length} texts in the corpus\n`)
  for (const text of texts) await finds.tryAll(readers, text)
  for (const message of messages) await finds.tryAll(wire.readers, message)
  for (let round = 1; Date.now() < end; round++) {
    await finds.tryAll(readers, mutate(texts, random))
    if (round % TEXTS_PER_MESSAGE === 0) await finds.tryAll(wire.readers, mutate(messages, random))
  }
  await wire.close()
  finds.close()
  const counts = [...finds.counts].map(([name, count]) => `${name} ${count}`)
  process.stdout.write(`${counts.join(', ')}\n${finds.inputs} inputs, ${finds.size} finds, seed ${seed}\n`)
  return finds.size === 0 ? 0 : 1
}

/** What was tried, and what went wrong: each thing once. */
class Finds {
  readonly counts = new Map<string, number>()
  readonly #found = new Set<string>()
  readonly #folder = mkdtempSync(join(tmpdir(), 'joust-fuzz-'))

  get size(): number {
    return this.#found.size
  }

  get inputs(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  async tryAll(all: Readonly<Record<string, Reader>>, text: string): Promise<void> {
    for (const [name, read] of Object.entries(all)) {
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
      const fault = await faultOf(read, text, this.#folder)
      if (fault !== undefined) this.add(name, fault, text)
    }
  }

  add(name: string, fault: string, text: string): void {
    const find = `${name}: ${fault}`
    if (this.#found.has(find)) return
    this.#found.add(find)
    process.stdout.write(`FOUND ${find}\n${JSON.stringify(text.slice(0, 6000))}\n`)
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function faultOf(read: Reader, text: string, folder: string): Promise<string | undefined> {
  const begun = process.cpuUsage()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('it did not end'), WAIT)
  })
  try {
    const answer = await Promise.race([Promise.resolve(read(text, folder)).then(() => undefined), late])
    if (answer !== undefined) return answer
  } catch (thrown) {
    return nameOf(thrown)
  } finally {
    clearTimeout(timer)
  }
  return process.cpuUsage(begun).user / 1000 > WORK ? 'it took too long' : undefined
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack?.split('\n').slice(0, 3).join(' ') ?? thrown.message) : String(thrown)
}

process.exitCode = await main()
