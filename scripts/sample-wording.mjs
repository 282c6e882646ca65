/**
 * Draws random messages and doc comments from `packages` for a review of their wording: `node
 * scripts/sample-wording.mjs --seed 7 --count 50`. The same seed draws the same sample. Generated files are skipped,
 * because they contain whole documents and scripts as single strings.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '50' } },
})
const count = Number(values.count)
const random = randomFrom(Number(values.seed))

const generated = ['packages/library/src/documents.ts', 'packages/report/src/html/client-script.ts']
const files = readdirSync(`${root}/packages`, { recursive: true })
  .filter((name) => /^[^/]+\/src\/.*\.tsx?$/.test(name))
  .map((name) => `packages/${name}`)
  .filter((file) => !generated.includes(file))
  .sort()
const texts = files.map((file) => ({ file, text: readFileSync(`${root}/${file}`, 'utf8') }))
print('Messages', texts.flatMap(messagesIn))
print('Doc comments', texts.flatMap(commentsIn))

/** Returns string literals of at least four words, on one line and outside comments. */
function messagesIn({ file, text }) {
  const blank = (match) => match.replaceAll(/[^\n]/g, ' ')
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, blank).replaceAll(/(^|\s)\/\/ .*$/gm, blank)
  return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)]
    .filter(([literal]) => !literal.includes('\n') && (literal.match(/[A-Za-z]{2,}[,;:.]?(?= |.$)/g) ?? []).length >= 4)
    .map(({ 0: literal, index }) => ({ place: `${file}:${lineOf(text, index)}`, text: literal.slice(1, -1) }))
}

/** Returns doc comments as single lines. */
function commentsIn({ file, text }) {
  return [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(({ 1: comment, index }) => ({
    place: `${file}:${lineOf(text, index)}`,
    text: comment.replaceAll(/\s*\n\s*\*? ?/g, ' ').trim(),
  }))
}

function lineOf(text, index) {
  return text.slice(0, index).split('\n').length
}

/** Prints a sample without repetition. */
function print(title, all) {
  const rest = [...all]
  console.log(`${title}: ${Math.min(count, all.length)} of ${all.length}\n`)
  for (let drawn = 0; drawn < count && rest.length > 0; drawn++) {
    const [{ place, text }] = rest.splice(Math.floor(random() * rest.length), 1)
    console.log(`${String(drawn + 1).padStart(3)}. ${text}\n     ${place}`)
  }
  console.log()
}

/** Returns a generator of numbers from 0 (inclusive) to 1 (exclusive), mulberry32. */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
