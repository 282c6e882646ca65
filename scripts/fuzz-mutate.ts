/** Texts that are almost right: those of the corpus, changed at random by a seed. */

/** A whole number from 0 up to a bound. */
type Random = (below: number) => number

/** Mulberry32. */
export function createRandom(seed: number): Random {
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
  '\n\n', 'data: ', 'event: ', 'id: ', 'retry: 0\n', ':\n', '[DONE]', '"id":1', '"id":null', '"jsonrpc":"2.0"', '"result":', '"error":', '"method":', '"params":[]',
]

/** A text of the corpus with a few changes. */
export function mutate(corpus: readonly string[], random: Random): string {
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
