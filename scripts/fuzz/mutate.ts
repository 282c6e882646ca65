/** Creates almost valid texts: corpus texts with random changes from a seed, to their text or their values. */
import { readSource } from '@joust/source'

/** Returns an integer from 0 (inclusive) to a bound (exclusive). */
export type Random = (below: number) => number

/** Creates a random number generator (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** A corpus text, split into JSON values and the text between them. */
interface Seed {
  readonly text: string
  readonly parts: readonly { readonly before: string; readonly json?: string }[]
}

/** Splits texts: a document is one value, other texts have one per line, possibly after `data:`. */
export function seedsOf(texts: readonly string[]): Seed[] {
  return texts.map((text) => {
    const whole = jsonOf(text)
    if (whole !== undefined) return { text, parts: [{ before: '', json: whole }] }
    const parts = text.split(/(?<=\n)/).map((line) => {
      const at = line.search(/[[{]/)
      const json = at < 0 ? undefined : jsonOf(line.slice(at))
      return json === undefined ? { before: line } : { before: line.slice(0, at), json }
    })
    return { text, parts }
  })
}

function jsonOf(text: string): string | undefined {
  const source = readSource(text)
  const value = source.ok ? source.value.value : undefined
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part))
    : undefined
}

// biome-ignore format: a list
const spices = [
  '{', '}', '[', ']', ': ', '- ', '? ', '&a ', '*a', '!!int ', '<<: ', '|\n', '>-\n', '"', "'", '\\u0000', '\u0000', '\ufeff', '\u202e', '\ud800',
  '---\n', '...\n', '#', '%YAML 1.2\n', '\t', '\r', 'null', '.inf', '-0', '9'.repeat(40), '1e999', '__proto__', 'constructor', `\${X}`, '{{a.b}}',
  '(a+)+$', '[*]', '$..', '{"joust_trace":1}\n', '{"joust_journal":4,"identity":{}}\n', '{"version":2}', '~', 'true', '[['.repeat(60), '{a: '.repeat(60),
  '\n\n', 'data: ', 'event: ', 'id: ', 'retry: 0\n', ':\n', '[DONE]', '"id":1', '"id":null', '"jsonrpc":"2.0"', '"result":', '"error":', '"method":', '"params":[]',
]

/**
 * Returns a corpus text with a few changes. Of three random texts the shortest is used, because it is read faster and
 * each change matters more.
 */
export function mutate(seeds: readonly Seed[], random: Random): string {
  const shorter = (one: Seed, two: Seed) => (one.text.length < two.text.length ? one : two)
  const seed = shorter(shorter(pick(seeds, random), pick(seeds, random)), pick(seeds, random))
  return random(2) === 0 ? mutateText(seed.text, pick(seeds, random).text, random) : mutateValues(seed, seeds, random)
}

function pick<T>(from: readonly T[], random: Random): T {
  // Callers pass no empty list.
  return from[random(from.length)] as T
}

function mutateText(whole: string, other: string, random: Random): string {
  let text = whole.length > 6000 ? whole.slice(random(whole.length - 3000)).slice(0, 6000) : whole
  for (let times = 1 + random(6); times > 0; times--) {
    const at = random(text.length + 1)
    const length = random(40)
    const from = random(other.length + 1)
    const changes = [
      () => text.slice(0, at) + pick(spices, random) + text.slice(at),
      () => text.slice(0, at) + text.slice(at + length),
      () => text.slice(0, at) + text.slice(at, at + length).repeat(1 + random(8)) + text.slice(at + length),
      () => text.slice(0, at) + other.slice(from, from + random(300)) + text.slice(at),
      () => text.slice(0, at) + String.fromCharCode(random(0x10000)) + text.slice(at + 1),
      () => text.slice(0, at),
    ]
    text = pick(changes, random)()
  }
  return text
}

// biome-ignore format: a list
const oddities: readonly unknown[] = [
  null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, 1e308, '', ' ', 'a', 'ä\u202e', '\u0000', '\ud800', 'x'.repeat(5000), '{{a.b}}', '{{request.a}}', '(a+)+$', '(?i)a|b*', 'a.b[0]', 'a[*].b',
  '$..[*]', 'm.a.exists(x, x == 1)', 'size(message) > 0', '1 / 0 == 1', '5s', 'P1D', '2026-01-01', '../..', 'http://[', 'mcp_server', 'ag_ui_client', '__proto__',
  [], {}, [[]], [null], { a: null }, JSON.parse('{"__proto__":{"a":1},"constructor":1}'), JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`),
]

/** A property of an object that can be changed. */
interface Slot {
  readonly holder: Record<string, unknown>
  readonly key: string
}

function mutateValues(seed: Seed, seeds: readonly Seed[], random: Random): string {
  const places = seed.parts.filter(({ json }) => json !== undefined)
  if (places.length === 0) return mutateText(seed.text, '', random)
  const chosen = pick(places, random)
  const donor = pick(pick(seeds, random).parts, random).json ?? '{}'
  const parts = seed.parts.map((part) => {
    if (part.json === undefined) return part.before
    return `${part.before}${part === chosen ? changed(part.json, donor, random) : part.json}\n`
  })
  return parts.join('')
}

function changed(json: string, donor: string, random: Random): string {
  const root = { it: JSON.parse(json) }
  const gifts = slotsOf({ it: JSON.parse(donor) })
  for (let times = 1 + random(4); times > 0; times--) {
    const slots = slotsOf(root)
    const { holder, key } = pick(slots, random)
    const put = (value: unknown) => {
      Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
    }
    const gift = pick(gifts, random)
    // A copy, because a shared value would be changed in both objects and could contain itself.
    const oddity = () => structuredClone(pick(oddities, random))
    const changes = [
      () => put(oddity()),
      () => delete holder[key],
      () => put(structuredClone(gift.holder[gift.key])),
      () => put([holder[key], structuredClone(holder[key])]),
      () => typeof holder[key] === 'string' && put(mutateText(holder[key], pick(spices, random), random)),
      () => Array.isArray(holder) || put({ ...asObject(holder[key]), [gift.key]: oddity() }),
    ]
    pick(changes, random)()
    if (!Object.hasOwn(root, 'it')) return '{}'
  }
  return JSON.stringify(root.it) ?? 'null'
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

function slotsOf(root: object): Slot[] {
  const slots: Slot[] = []
  const walk = (holder: object) => {
    for (const [key, value] of Object.entries(holder)) {
      // The property is an own key of the holder.
      slots.push({ holder: holder as Slot['holder'], key })
      if (typeof value === 'object' && value !== null && slots.length < 2000) walk(value)
    }
  }
  walk(root)
  return slots
}
