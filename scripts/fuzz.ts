/**
 * `npm run fuzz -- --minutes N [--seed S] [--mutants N]`: feeds mutated inputs to every reader, which must not throw or
 * take longer than a few seconds. Then runs library documents with one letter changed. An agent must not pass a
 * document that the change has disarmed.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { falsePasses, letterMutants, libraryDocuments } from './fuzz/letters.ts'
import { createRandom, mutate, seedsOf } from './fuzz/mutate.ts'
import { type Reader, readCorpus, readers } from './fuzz/readers.ts'
import { openWatch } from './fuzz/watch.ts'
import { openWire } from './fuzz/wire.ts'

/**
 * Timeouts in milliseconds for work and for waiting, which takes longer on a shared machine. An input that exceeds them
 * is reported.
 */
const WORK = 5000
const WAIT = 60_000
/** Number of texts per message, because connections take longer than texts. */
const TEXTS_PER_MESSAGE = 20
const TEXTS_PER_SLOW_MESSAGE = 200
/** Number of one-letter mutants of the library. */
const MUTANTS = 600

async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { minutes: text, seed: text, mutants: text } })
  const end = Date.now() + Number(values.minutes ?? 1) * 60_000
  const seed = Number(values.seed ?? Date.now() % 1_000_000_007)
  const random = createRandom(seed)
  const messages = seedsOf(readCorpus('scripts/fuzz/corpus/wire'))
  const texts = seedsOf(readCorpus('scripts/fuzz/corpus', 'library', 'examples/agents'))
  const wire = await openWire()
  const live = { ...wire.readers, ...wire.slow }
  const finds = new Finds()
  process.on('unhandledRejection', (thrown) => finds.add('unhandled rejection', nameOf(thrown), ''))
  process.on('uncaughtException', (thrown) => finds.add('uncaught exception', nameOf(thrown), ''))
  process.stdout.write(`seed ${seed}, ${texts.length} texts in the corpus\n`)
  for (const { text } of texts) await finds.tryAll(readers, text)
  for (const { text } of messages) await finds.tryTogether(live, text)
  // A message mostly waits, so texts are read in the meantime.
  let waiting: Promise<void> = Promise.resolve()
  for (let round = 1; Date.now() < end; round++) {
    await finds.tryAll(readers, mutate(texts, random))
    if (round % TEXTS_PER_MESSAGE !== 0) continue
    await waiting
    waiting = finds.tryTogether(round % TEXTS_PER_SLOW_MESSAGE === 0 ? live : wire.readers, mutate(messages, random))
  }
  await waiting
  await wire.close()
  await finds.close()
  const counts = [...finds.counts].map(([name, count]) => `${name} ${count}`)
  process.stdout.write(`${counts.join(', ')}\n${finds.inputs} inputs, ${finds.size} finds, seed ${seed}\n`)
  const isSound = await checkLetters(Number(values.mutants ?? MUTANTS), seed)
  return finds.size === 0 && isSound ? 0 : 1
}

/** Prints each mutant that falsely passes. Returns true if there are none. */
async function checkLetters(count: number, seed: number): Promise<boolean> {
  if (count === 0) return true
  const passes = await falsePasses(letterMutants(libraryDocuments(), count, createRandom(seed)))
  for (const { file, change } of passes) process.stdout.write(`PASSED ${file}: ${change}\n`)
  process.stdout.write(
    `${passes.length} of ${count} one-letter mutants of the library pass falsely (${((100 * passes.length) / count).toFixed(1)} %), seed ${seed}\n`,
  )
  return passes.length === 0
}

/** Returns a folder in memory if available, because every text is written three times. */
function fastFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
}

/** Counts inputs and collects each distinct error once. */
class Finds {
  readonly counts = new Map<string, number>()
  readonly #found = new Set<string>()
  readonly #folder = mkdtempSync(join(fastFolder(), 'joust-fuzz-'))
  readonly #watch = openWatch(2 * WAIT)
  #told = Date.now()

  get size(): number {
    return this.#found.size
  }

  get inputs(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Runs readers one after another, then yields to pending messages. */
  async tryAll(all: Readonly<Record<string, Reader>>, text: string): Promise<void> {
    for (const [name, read] of Object.entries(all)) await this.#try(name, read, text, this.#folder)
    await new Promise(setImmediate)
    if (Date.now() - this.#told < 60_000) return
    this.#told = Date.now()
    process.stdout.write(`${this.inputs} inputs, ${this.size} finds so far\n`)
  }

  /** Runs readers concurrently, each with its own folder. */
  async tryTogether(all: Readonly<Record<string, Reader>>, text: string): Promise<void> {
    const tried = Object.entries(all).map(([name, read]) => {
      const folder = join(this.#folder, name.replaceAll(/\W/g, '-'))
      mkdirSync(folder, { recursive: true })
      return this.#try(name, read, text, folder)
    })
    await Promise.all(tried)
  }

  async #try(name: string, read: Reader, text: string, folder: string): Promise<void> {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    this.#watch.begin(name, text)
    const fault = await faultOf(read, text, folder)
    if (fault !== undefined) this.add(name, fault, text)
  }

  add(name: string, fault: string, text: string): void {
    const find = `${name}: ${fault}`
    if (this.#found.has(find)) return
    this.#found.add(find)
    process.stdout.write(`FOUND ${find}\n${JSON.stringify(text.slice(0, 6000))}\n`)
  }

  async close(): Promise<void> {
    await this.#watch.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function faultOf(read: Reader, text: string, folder: string): Promise<string | undefined> {
  const begun = performance.now()
  const work = process.cpuUsage()
  try {
    const reading = read(text, folder)
    if (reading instanceof Promise && (await endsInTime(reading)) === false) return 'timeout while waiting'
  } catch (thrown) {
    return nameOf(thrown)
  }
  if (performance.now() - begun < WORK) return undefined
  return process.cpuUsage(work).user / 1000 > WORK ? 'timeout' : undefined
}

async function endsInTime(reading: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), WAIT)
  })
  try {
    return await Promise.race([reading.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  // An error message may have several lines.
  const places = thrown.stack?.split('\n').filter((line) => /^ +at /.test(line)) ?? []
  return [thrown.message, ...places.slice(0, 4)].join(' ').replaceAll('\n', ' ')
}

process.exitCode = await main().catch((thrown: unknown) => {
  process.stdout.write(`the fuzzer itself failed: ${nameOf(thrown)}\n`)
  process.exit(1)
})
