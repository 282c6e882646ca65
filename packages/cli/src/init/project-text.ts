/** The text of a first `joust.yaml`. */
import { dirname } from 'node:path'
import type { Found } from './look.ts'
import { JAVASCRIPT_FILE, PYTHON_FILE } from './wrapper.ts'

export const SCHEMA_FILE = '.joust/joust.schema.json'
export const ATTACK_FILE = 'attacks/first.oatf.yaml'

/** A target of the file. */
interface Entry {
  readonly name: string
  /** Its lines, below its name. */
  readonly lines: readonly string[]
  /** It runs as it is: no key, nothing to fill in, nothing that costs money. */
  readonly runs: boolean
}

/** The file for what was found, and the names of the targets that run at once. */
export function projectText(found: Found): { readonly text: string; readonly now: string[]; readonly later: string[] } {
  const real = entriesFor(found)
  const entries = real.some(({ runs }) => runs) ? real : [...simulated, ...real]
  const now = entries.filter(({ runs }) => runs).map(({ name }) => name)
  const later = entries.filter(({ runs }) => !runs).map(({ name }) => name)
  const targets = entries.flatMap(({ name, lines }) => [`  ${name}:`, ...lines.map((line) => `    ${line}`)])
  const text = [
    `# yaml-language-server: $schema=${SCHEMA_FILE}`,
    '# What `joust run` does here. Every option of it has a key: --fail-on is fail_on. Paths are relative to this file.',
    `attacks: [${attackWords(found).map(quoted).join(', ')}]`,
    'targets:',
    ...targets,
    ...(later.length === 0 ? [] : ['# Those that run without --on.', `on: [${now.join(', ')}]`]),
    '',
  ]
  return { text: text.join('\n'), now, later }
}

const simulated: readonly Entry[] = [
  { name: 'naive', lines: ['model: sim/credulous # a simulation that obeys everybody; needs no key'], runs: true },
  { name: 'careful', lines: ['model: sim/cautious # a simulation that obeys its user'], runs: true },
]

function entriesFor({ agents, presets, javascript, python, code }: Found): readonly Entry[] {
  const names = new Set<string>()
  const free = (wanted: string) => {
    let name = wanted
    for (let count = 2; names.has(name); count++) name = `${wanted}-${count}`
    names.add(name)
    return name
  }
  return [
    ...(javascript.length === 0
      ? []
      : [{ name: free('mine'), lines: [`module: ./${JAVASCRIPT_FILE}`], runs: code !== undefined }]),
    ...(python.length === 0
      ? []
      : [{ name: free('mine'), lines: [`exec: python3 ${PYTHON_FILE}`, 'json_lines: true'], runs: false }]),
    ...agents.map((file) => ({
      name: free(nameOf(file)),
      lines: [
        `agent: ${quoted(file)}`,
        'model: sim/credulous # without this line: the models of the file, with your keys',
      ],
      runs: true,
    })),
    ...presets.map((name) => ({ name: free(name), lines: [`exec: ${name}`], runs: false })),
  ]
}

function nameOf(file: string): string {
  const base = file.split('/').at(-1) ?? file
  const name = base.replace(/(?:\.agf)?\.(?:yaml|yml|json)$/, '').replaceAll(/[^A-Za-z0-9_-]+/g, '-')
  // `agent` says less than the folder that it is in.
  return /^agent$/i.test(name) && file.includes('/') ? (file.split('/').at(-2) ?? name) : name
}

/** Some files by name, many by their folders. */
function attackWords({ attacks }: Found): readonly string[] {
  if (attacks.length === 0) return ['attacks']
  return attacks.length < 4 ? attacks : [...new Set(attacks.map((file) => dirname(file)))]
}

function quoted(text: string): string {
  return /^[A-Za-z0-9_./-]+$/.test(text) ? text : JSON.stringify(text)
}
