/** Word forms: base forms of verbs, stems, and words in identifiers. */
import { isVerb, listOf } from './lexicon.ts'

// biome-ignore format: a table
const IRREGULAR: Readonly<Record<string, string>> = {
  sent: 'send', read: 'read', given: 'give', written: 'write', made: 'make', put: 'put', run: 'run', told: 'tell', got: 'get',
  set: 'set', found: 'find', paid: 'pay', shown: 'show', said: 'say', kept: 'keep', done: 'do', taken: 'take', seen: 'see',
}

/** Returns the base form of words such as `sending` and `sent`; undefined for other words. */
export function baseForm(word: string): string | undefined {
  if (Object.hasOwn(IRREGULAR, word)) return IRREGULAR[word]
  const root = word.endsWith('ing') ? word.slice(0, -3) : word.endsWith('ed') ? word.slice(0, -2) : undefined
  if (root === undefined || root.length < 2) return undefined
  const undoubled = root.at(-1) === root.at(-2) ? root.slice(0, -1) : root
  return [root, `${root}e`, undoubled, root.replace(/i$/, 'y')].find(isVerb)
}

const SUFFIXES = listOf(`
  ications ication ations ation ators ator ating ated ates ate ifying ifies ify ions ion ings ing ments ment ators
  ers er ors or tics sis zed zes ze zing ies ied ed es s als al ly e y
`)

/** Crude, but sufficient to relate `calculate` and `calculator`. */
function stem(word: string): string {
  for (const suffix of SUFFIXES) {
    if (word.endsWith(suffix) && word.length - suffix.length >= 3) return word.slice(0, -suffix.length)
  }
  return word
}

// biome-ignore format: a table
const SYNONYMS: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  online: 'web', internet: 'web', website: 'web', mail: 'email', folder: 'directory', dir: 'directory', doc: 'document', docs: 'document',
  db: 'database', info: 'information', photo: 'image', picture: 'image', cost: 'price', cmd: 'command', repo: 'repository', msg: 'message',
  rain: 'weather', snow: 'weather', temperature: 'weather', forecast: 'weather', staff: 'employee', employees: 'employee', client: 'customer',
  clients: 'customer', purchase: 'buy', meeting: 'event', meetings: 'event', appointment: 'event', appointments: 'event', flight: 'flights',
})

/** True if two words share a stem. */
export function akin(a: string, b: string): boolean {
  return canonical(a) === canonical(b)
}

export function canonical(word: string): string {
  const synonym = SYNONYMS[word] ?? SYNONYMS[stem(word)]
  return stem(synonym ?? word)
}

/** Splits an identifier: `sendEmail`, `send_email` and `send-email` become `send` and `email`. */
export function wordsOfName(name: string): string[] {
  return name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
