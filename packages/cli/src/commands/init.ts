/** `joust init`: a joust.yaml for what is found here, and a first attack. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeNew } from '@joust/io'
import { PROJECT_FILE } from '@joust/runtime/bindings'
import { jsonText, messageOf, printable } from '@joust/source'
import { firstAttack } from '../init/first-attack.ts'
import { type Found, type FoundCode, lookAround } from '../init/look.ts'
import { ATTACK_FILE, projectText, SCHEMA_FILE } from '../init/project-text.ts'
import { JAVASCRIPT_FILE, javascriptWrapper, openLine, PYTHON_FILE, pythonWrapper } from '../init/wrapper.ts'
import { readProject } from '../project/read.ts'
import { projectSchema } from '../project/shape.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell } from '../terminal/io.ts'

/** Writes what does not exist yet; says what it found, what it wrote and what comes next. `wrote` is told each file. */
export async function init(io: Io, wrote: (name: string) => void = () => undefined): Promise<number> {
  const found = await lookAround(io)
  const isKept = existsSync(join(io.cwd, PROJECT_FILE))
  const lines = findings(found)
  const alone = isKept ? 'no agent' : 'no agent, so the file attacks simulated ones'
  for (const line of lines.length > 0 ? lines : [alone]) io.stdout.write(`found ${printable(line)}\n`)
  for (const fault of found.faults) io.stderr.write(`${printable(fault)}\n`)
  if (isKept) return keepProject(found, io)
  const files: [name: string, text: string][] = [
    ...wrappersFor(found),
    ...(found.attacks.length > 0 ? [] : [[ATTACK_FILE, firstAttack] as [string, string]]),
    [SCHEMA_FILE, jsonText(projectSchema())],
    [PROJECT_FILE, projectText(found).text],
  ]
  let failed = false
  for (const [name, content] of files) {
    const done = write(join(io.cwd, name), content)
    if ('fault' in done) tell(io, `${name} cannot be written: ${done.fault}`)
    else io.stdout.write(`${done.kept ? 'kept' : 'wrote'} ${name}\n`)
    if ('kept' in done && !done.kept) wrote(name)
    failed ||= 'fault' in done
  }
  if (failed) return exitCodes.failure
  io.stdout.write(`\n${nextSteps(found).join('\n')}\n`)
  return exitCodes.ok
}

/** An existing file decides what is run; what was found is shown, to be added by hand. */
async function keepProject(found: Found, io: Io): Promise<number> {
  const project = await readProject(PROJECT_FILE, true, io)
  if (!project.ok) return project.error
  const { targets = [], given, attacks } = project.value ?? {}
  const names = given?.on ?? targets.map(({ name }) => name)
  const { real } = projectText(found)
  const wanted = attacks === undefined ? 'joust run library' : 'joust run'
  const next =
    names.length > 0
      ? [`Next: ${wanted.padEnd(25)} attacks ${names.join(', ')}`]
      : [
          `Next: ${PROJECT_FILE} names no target; ${real.length > 0 ? 'what was found here' : 'a simulation'} would be:`,
          '',
          'targets:',
          ...(real.length > 0 ? real : ['  naive: { model: sim/credulous }']),
        ]
  io.stdout.write(`kept ${PROJECT_FILE}\n\n${next.map((line) => printable(line)).join('\n')}\n`)
  return exitCodes.ok
}

function wrappersFor({ javascript, python }: Found): [name: string, text: string][] {
  return [
    ...(javascript.frameworks.length === 0 || javascript.program !== undefined
      ? []
      : [[JAVASCRIPT_FILE, javascriptWrapper(javascript.code, javascript.packages)] as [string, string]]),
    ...(python.frameworks.length === 0 || python.program !== undefined
      ? []
      : [[PYTHON_FILE, pythonWrapper(python.code)] as [string, string]]),
  ]
}

function nextSteps(found: Found): string[] {
  const { now, later } = projectText(found)
  const open = wrappersFor(found).flatMap(([name, text]) => {
    const line = openLine(text)
    return line === undefined ? [] : [`      fill in line ${line} of ${name}: call your agent there`]
  })
  const both = [found.javascript, found.python]
  const lacks = both.flatMap(({ code, program, lack }) =>
    lack === undefined ? [] : [`      ${code?.file ?? program?.file} ${lack}`],
  )
  const started = both.flatMap(({ program }) => (program === undefined ? [] : [`      ${program.file} ${STARTED}`]))
  const [first] = later
  return [
    `Next: joust run                 attacks ${now.join(', ')}`,
    ...open,
    ...lacks,
    ...started,
    ...(first === undefined ? [] : [`      joust run --on ${first.padEnd(12)} ${laterText(later)}`]),
  ]
}

const STARTED =
  'is started for each message of the user; attacks over MCP need it to use the servers that MCP_CONFIG names'

function laterText(later: readonly string[]): string {
  return `needs a key, a login or its file filled in${later.length > 1 ? `; so do ${later.slice(1).join(', ')}` : ''}`
}

function findings({ agents, attacks, presets, javascript, python }: Found): string[] {
  const list = (what: string, names: readonly string[]) => (names.length === 0 ? [] : [`${what}: ${names.join(', ')}`])
  return [
    ...list('agent files', agents),
    ...list('attack documents', attacks),
    ...list('agents on PATH', presets),
    ...list('packages', [...javascript.frameworks, ...python.frameworks]),
    ...[javascript, python].flatMap(codeLine),
  ]
}

function codeLine({ code, program }: FoundCode): string[] {
  if (program !== undefined)
    return [`a program: ${program.file}, which reads ${program.takes === 'words' ? 'its arguments' : 'standard input'}`]
  if (code === undefined) return []
  return [
    `${code.form === undefined ? 'a function' : `an agent of ${code.form.package}`}: ${code.name} in ${code.file}`,
  ]
}

/** Never overwrites anything; why not, where it fails. */
function write(path: string, text: string): { readonly kept: boolean } | { readonly fault: string } {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeNew(path, text)
    return { kept: false }
  } catch (thrown) {
    const there = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST'
    return there ? { kept: true } : { fault: messageOf(thrown) }
  }
}
