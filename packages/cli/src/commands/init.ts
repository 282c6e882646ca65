/** `joust init`: writes a joust.yaml for the agents in a folder, and a first attack. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { writeNew } from '@joust/io'
import { PROJECT_FILE } from '@joust/runtime/bindings'
import { errorCode, jsonText, messageOf, printable, type ValueRecord } from '@joust/source'
import { presets } from '@joust/targets'
import { firstAttack } from '../init/first-attack.ts'
import { type Found, type FoundCode, lookAround } from '../init/look.ts'
import { ATTACK_FILE, projectText, SCHEMA_FILE } from '../init/project-text.ts'
import { adviceFor, explain, isAllowed, keyStep, lackLines, MODEL } from '../init/prove.ts'
import { JAVASCRIPT_FILE, javascriptWrapper, openLine, PYTHON_FILE, pythonWrapper } from '../init/wrapper.ts'
import type { InitOptions } from '../options/init.ts'
import { kindOf } from '../project/kinds.ts'
import { readProject } from '../project/read.ts'
import { projectSchema } from '../project/shape.ts'
import { blockLines, messageLines } from '../render/outcome-text.ts'
import { coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell } from '../terminal/io.ts'

/** Writes missing files, prints the next steps, and runs the agents if allowed. Calls `wrote` for each written file. */
export async function init(
  io: Io,
  wrote: (name: string) => void = () => undefined,
  options: InitOptions = { yes: false },
): Promise<number> {
  const detected = await lookAround(io)
  const isKept = existsSync(join(io.cwd, PROJECT_FILE))
  const lines = findings(detected)
  const alone = isKept ? 'no agent' : 'no agent, so the file attacks simulated ones'
  for (const line of lines.length > 0 ? lines : [alone]) io.stdout.write(`found ${printable(line)}\n`)
  for (const fault of detected.faults) io.stderr.write(`${printable(fault)}\n`)
  if (isKept) return keepProject(detected, options, io)
  const files: [name: string, text: string][] = [
    ...wrappersFor(detected),
    ...(detected.attacks.length > 0 ? [] : [[ATTACK_FILE, firstAttack] as [string, string]]),
    [SCHEMA_FILE, jsonText(projectSchema())],
    [PROJECT_FILE, projectText(detected).text],
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
  io.stdout.write('\n')
  const { called } = projectText(detected)
  const proof = await proveTargets(called, detected, options, io)
  if (proof.code !== exitCodes.ok) return proof.code
  const steps = nextSteps(detected, proof.isRun || called.length === 0, io)
  io.stdout.write(`${[...steps, ...(await aimStep(io))].join('\n')}\n`)
  return exitCodes.ok
}

async function aimStep({ cwd }: Io): Promise<string[]> {
  const { findConfig } = await import('../aim/find-config.ts')
  const path = findConfig(cwd)
  if (path === undefined) return []
  return [`      joust aim                 writes attacks that use the tools of ${relative(cwd, path)}`]
}

const AGAIN = 'Next: joust init --yes          checks again after the change'

/** Proves targets. `wrappers` maps those of an existing project file to the wrapper files that Joust wrote for them. */
async function proveTargets(
  names: readonly string[],
  found: Found,
  options: InitOptions,
  io: Io,
  wrappers?: ReadonlyMap<string, string | undefined>,
): Promise<{ readonly code: number; readonly isRun: boolean }> {
  if (names.length === 0) return { code: exitCodes.ok, isRun: false }
  const lacks = lackLines(found, wrappers)
  if (lacks.length > 0) {
    io.stdout.write(`${lacks.map((line) => `${printable(line)}\n`).join('')}${AGAIN}\n`)
    return { code: exitCodes.findings, isRun: true }
  }
  if (!(options.yes || (await isAllowed(names, io)))) return { code: exitCodes.ok, isRun: false }
  const isGenerated = names.some((name) => wrappers === undefined || wrappers.get(name) === JAVASCRIPT_FILE)
  const fault = isGenerated ? await moduleFault(found, io) : undefined
  if (fault !== undefined) {
    const lines = [...messageLines(fault), ...blockLines(fault, coloursFor(io, 'stdout'), io.stdout.columns)]
    io.stdout.write(`${lines.join('\n')}\n\n${printable(adviceFor(fault, found, io, JAVASCRIPT_FILE))}\n${AGAIN}\n`)
    return { code: exitCodes.findings, isRun: true }
  }
  const { preflight } = await import('./preflight.ts')
  const advice: string[] = []
  const selection = { on: [...names], withModel: [MODEL], quiet: [] }
  const code = await preflight([], selection, io, ({ target, preflight: result }) => {
    if (result === null) return
    const wrapper = wrappers === undefined ? writtenWrapper(found) : wrappers.get(target)
    advice.push(...explain(result, found, io, wrapper).map((line) => `${target}: ${line}`))
  })
  io.stdout.write(`\n${advice.map((line) => `${printable(line)}\n`).join('')}`)
  if (code === exitCodes.findings) io.stdout.write(`${AGAIN}\n`)
  return { code, isRun: true }
}

async function moduleFault({ javascript }: Found, { cwd, env }: Io): Promise<string | undefined> {
  const module = join(cwd, JAVASCRIPT_FILE)
  if (javascript.code === undefined || !existsSync(module)) return undefined
  const { checkFunction } = await import('@joust/targets')
  const checked = await checkFunction({ module, cwd, environment: env, isKeyless: true })
  return checked.ok ? undefined : `${JAVASCRIPT_FILE}: ${checked.error}`
}

function writtenWrapper({ javascript, python }: Found): string | undefined {
  if (javascript.code !== undefined) return JAVASCRIPT_FILE
  return python.code === undefined ? undefined : PYTHON_FILE
}

async function keepProject(found: Found, options: InitOptions, io: Io): Promise<number> {
  const project = await readProject(PROJECT_FILE, true, io)
  if (!project.ok) return project.error
  const { targets = [], given, attacks } = project.value ?? {}
  const names = given?.on ?? targets.map(({ name }) => name)
  const { real } = projectText(found)
  const wrappers = new Map(targets.map(({ name, value }) => [name, wrapperOf(value)]))
  const isNamed = ({ name }: { readonly name: string }) => names.includes(name)
  // An agent that could not run at first is not listed in `on`.
  const called = targets.filter((one) => wrappers.get(one.name) !== undefined || (isNamed(one) && isStarted(one.value)))
  const others = called.filter((one) => !isNamed(one)).map(({ name }) => name)
  const unchecked = targets.filter((one) => isNamed(one) && !called.includes(one) && !isOwnModel(one.value))
  const command = attacks === undefined ? 'joust run library' : 'joust run'
  io.stdout.write(`kept ${PROJECT_FILE}\n\n`)
  const tried = called.map(({ name }) => name)
  const { code, isRun } = await proveTargets(tried, found, options, io, wrappers)
  if (code !== exitCodes.ok) return code
  const run = `${command.padEnd(25)} attacks ${names.join(', ')}`
  const before = [
    ...(isRun || tried.length === 0 ? [] : [UNTRIED]),
    ...(unchecked.length === 0 ? [] : [`${NOT_CHECKED} ${unchecked.map(({ name }) => name).join(', ')}`]),
  ]
  const next =
    names.length > 0
      ? [...before, run].map((line, index) => (index === 0 ? `Next: ${line}` : `      ${line}`))
      : [
          `Next: add a target to ${PROJECT_FILE}, for example ${real.length > 0 ? 'an agent in this folder' : 'a simulation'}:`,
          '',
          'targets:',
          ...(real.length > 0 ? real : ['  naive: { model: sim/credulous }']),
        ]
  const more = others.map((name) => `      joust run --on ${name.padEnd(10)} attacks ${name}`)
  const key = keyStep(tried.length > 0 ? found : undefined, modelsOf(targets.filter(isNamed)), io)
  io.stdout.write(`${[...next, ...key, ...more, ...(await aimStep(io))].map((line) => printable(line)).join('\n')}\n`)
  return code
}

function modelsOf(targets: readonly { readonly value: ValueRecord }[]): string {
  return targets.map(({ value }) => (typeof value.model === 'string' ? value.model : '')).join('\n')
}

const NOT_CHECKED = 'joust preflight           checks the other targets:'

function wrapperOf({ exec, module }: ValueRecord): string | undefined {
  if (typeof exec === 'string' && exec.endsWith(PYTHON_FILE)) return PYTHON_FILE
  return typeof module === 'string' && module.endsWith(JAVASCRIPT_FILE) ? JAVASCRIPT_FILE : undefined
}

/** True for a target that starts the user's code, whose model can be simulated. */
function isStarted({ exec, module, serve }: ValueRecord): boolean {
  return module !== undefined || serve !== undefined || (exec !== undefined && !presetNames.has(String(exec)))
}

const presetNames: ReadonlySet<string> = new Set(presets.map(({ name }) => name))

/** True for a target that needs no preflight, because Joust itself runs the model. */
function isOwnModel(value: ValueRecord): boolean {
  return ['model', 'agent'].includes(kindOf(value))
}

function wrappersFor({ javascript, python }: Found): [name: string, text: string][] {
  const isWrapped = ({ frameworks, program }: FoundCode) => frameworks.length > 0 && program === undefined
  const wrappers: [name: string, text: string][] = []
  if (isWrapped(javascript)) wrappers.push([JAVASCRIPT_FILE, javascriptWrapper(javascript.code)])
  if (isWrapped(python)) wrappers.push([PYTHON_FILE, pythonWrapper(python.code)])
  return wrappers
}

function nextSteps(found: Found, isProven: boolean, io: Io): string[] {
  const { now, later, called } = projectText(found)
  const open = wrappersFor(found).flatMap(([name, text]) => {
    const line = openLine(text)
    return line === undefined ? [] : [`      fill in line ${line} of ${name} to call your agent`]
  })
  const both = [found.javascript, found.python]
  const started = both.flatMap(({ program }) => (program === undefined ? [] : [`      ${program.file} ${STARTED}`]))
  const [first] = later
  const run = `joust run                 attacks ${now.join(', ')}`
  return [
    ...(isProven ? [`Next: ${run}`] : [`Next: ${UNTRIED}`, `      ${run}`]),
    ...(called.length > 0 ? keyStep(found, '', io) : []),
    ...open,
    ...started,
    ...(first === undefined ? [] : [`      joust run --on ${first.padEnd(12)} ${laterText(later)}`]),
  ]
}

const UNTRIED =
  'joust init --yes          runs your agent with a simulated model, without a key, to check the connection'

const STARTED = 'is started for each user message; attacks over MCP require it to use the servers in MCP_CONFIG'

function laterText(later: readonly string[]): string {
  return `needs a key, a login or changes to its file${later.length > 1 ? `; so do ${later.slice(1).join(', ')}` : ''}`
}

function findings({ agents, attacks, presets, javascript, python }: Found): string[] {
  const list = (what: string, names: readonly string[]) => (names.length === 0 ? [] : [`${what}: ${names.join(', ')}`])
  return [
    ...list('agent files', agents),
    ...list('attack documents', attacks),
    ...list('agents on PATH', presets),
    ...list('packages', [...javascript.frameworks, ...python.frameworks]),
    ...[javascript, python].flatMap(codeLine),
    ...[javascript, python].flatMap(({ others, code }) => {
      const names = others.map(({ name, file }) => `${name} in ${file}`)
      return code === undefined ? [] : list('other agents, not called', names)
    }),
  ]
}

function codeLine({ code, program }: FoundCode): string[] {
  if (program !== undefined)
    return [`a program: ${program.file}, which reads ${program.takes === 'words' ? 'its arguments' : 'standard input'}`]
  if (code === undefined) return []
  const kind = code.form === undefined ? 'a function' : `an agent built with ${code.form.title}`
  return [`${kind}: ${code.name} in ${code.file}`]
}

function write(path: string, text: string): { readonly kept: boolean } | { readonly fault: string } {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeNew(path, text)
    return { kept: false }
  } catch (thrown) {
    return errorCode(thrown) === 'EEXIST' ? { kept: true } : { fault: messageOf(thrown) }
  }
}
