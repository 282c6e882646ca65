/** Creates the text of a new `joust.yaml`. */
import { dirname } from 'node:path'
import type { AgentProgram } from './code.ts'
import { type Found, type FoundCode, nodeRunsTypescript } from './look.ts'
import { JAVASCRIPT_FILE, PYTHON_FILE } from './wrapper.ts'

export const SCHEMA_FILE = '.joust/joust.schema.json'
export const ATTACK_FILE = 'attacks/first.oatf.yaml'

interface Entry {
  readonly name: string
  /** The lines below the target name. */
  readonly lines: readonly string[]
  /** True if the target can run unchanged: it needs no key, has nothing to fill in and costs nothing. */
  readonly runs: boolean
  /** True if the target starts code in the folder, whose model can be simulated. */
  readonly isStarted?: boolean
}

/**
 * Creates the text of the file. `now` contains the targets that can run, `called` those that start code in the folder,
 * `later` those that cannot run yet, and `real` the lines of all targets except simulations.
 */
export function projectText(found: Found) {
  const real = entriesFor(found)
  const entries = real.some(({ runs }) => runs) ? real : [...simulated, ...real]
  const now = entries.filter(({ runs }) => runs).map(({ name }) => name)
  const later = entries.filter(({ runs }) => !runs).map(({ name }) => name)
  const called = entries.filter(({ runs, isStarted }) => runs && isStarted).map(({ name }) => name)
  const text = [
    `# yaml-language-server: $schema=${SCHEMA_FILE}`,
    '# Settings for `joust run`. Options are keys: --fail-on is fail_on. Attacks: files, folders, library, or "@quick".',
    attacksLine(attackWords(found), entries === real),
    'targets:',
    ...entries.flatMap(linesOf),
    ...(later.length === 0 ? [] : ['# The targets to run without --on.', `on: [${now.map(quoted).join(', ')}]`]),
    '',
  ]
  return { text: text.join('\n'), now, later, called, real: real.flatMap(linesOf) }
}

function linesOf({ name, lines }: Entry): readonly string[] {
  return [`  ${name}:`, ...lines.map((line) => `    ${line}`)]
}

const simulated: readonly Entry[] = [
  {
    name: 'naive',
    lines: ['model: sim/credulous # a simulation that obeys every instruction; needs no key'],
    runs: true,
  },
  { name: 'careful', lines: ['model: sim/cautious # a simulation that obeys only its user; needs no key'], runs: true },
]

function entriesFor({ agents, presets, javascript, python, interpreter }: Found): readonly Entry[] {
  const names = new Set<string>()
  const free = (wanted: string) => {
    let name = wanted
    for (let count = 2; names.has(name); count++) name = `${wanted}-${count}`
    names.add(name)
    return name
  }
  return [
    ...codeEntry(javascript, [`module: ./${JAVASCRIPT_FILE}`], runnerOf(javascript), free),
    ...codeEntry(python, pythonLines(interpreter, python), interpreter, free),
    ...agents.map((file) => ({
      name: free(nameOf(file)),
      lines: [
        `agent: ${quoted(file)}`,
        'model: sim/credulous # remove this line to use the models in the file, with your keys',
      ],
      runs: true,
    })),
    ...presets.map((name) => ({ name: free(name), lines: [`exec: ${name}`], runs: false })),
  ]
}

function codeEntry(
  { frameworks, code, program, variables }: FoundCode,
  called: readonly string[],
  runner: string,
  free: (wanted: string) => string,
): readonly Entry[] {
  if (frameworks.length === 0) return []
  const lines = program === undefined ? called : programLines(program, runner, variables)
  const runs = code !== undefined || program !== undefined
  return [{ name: free('mine'), lines, runs, isStarted: true }]
}

function runnerOf({ program }: FoundCode): string {
  return /ts$/.test(program?.file ?? '') && !nodeRunsTypescript() ? 'node --import tsx' : 'node'
}

function programLines({ file, takes }: AgentProgram, runner: string, variables: readonly string[]): readonly string[] {
  return [`exec: ${JSON.stringify(`${runner} ${file}${takes === 'words' ? ' {prompt}' : ''}`)}`, passed(variables)]
}

function pythonLines(interpreter: string, { variables }: FoundCode): readonly string[] {
  return [`exec: ${interpreter} ${PYTHON_FILE}`, 'json_lines: true', passed(variables)]
}

/** Environment variables that agents commonly need; unset variables are not passed. */
const keys = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'GOOGLE_API_KEY', 'GEMINI_API_KEY']

function passed(variables: readonly string[]): string {
  return `pass_env: [${[...new Set([...keys, ...variables])].join(', ')}]`
}

function nameOf(file: string): string {
  const [base = file, folder] = file.split('/').reverse()
  const stem = base.replace(/(?:\.agf)?\.(?:yaml|yml|json)$/i, '')
  // The folder is a better name than `agent`.
  const name = /^agent$/i.test(stem) && folder !== undefined ? folder : stem
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return letters.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'agent'
}

/** Omits the library for simulations, because their outcomes are known and a first run should be quick. */
function attacksLine(own: readonly string[], isReal: boolean): string {
  if (isReal) return `attacks: [${['library', ...own].map(quoted).join(', ')}]`
  return `attacks: [${own.map(quoted).join(', ')}] # add library for the built-in attacks`
}

function attackWords({ attacks }: Found): readonly string[] {
  if (attacks.length === 0) return ['attacks']
  return attacks.length < 4 ? attacks : [...new Set(attacks.map((file) => dirname(file)))]
}

function quoted(text: string): string {
  return /^(?!(?:true|false|null)$)[a-z_][\w./-]*$/i.test(text) ? text : JSON.stringify(text)
}
