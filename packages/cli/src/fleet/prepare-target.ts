/** Prepares a campaign target on a worker: its files in a private folder, its secrets from the environment. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, posix, win32 } from 'node:path'
import type { CallUsage } from '@joust/arena'
import type { CampaignRow, CampaignTarget, LocalJudge, LocalTarget } from '@joust/fleet'
import { openTemporaryFolder } from '@joust/io'
import { defined, err, isList, isRecord, ok, type Result, readSource, type Value } from '@joust/source'
import type { SuiteAttack, SuiteRun } from '@joust/trials'
import type { RunOptions } from '../options/run.ts'
import { isUrl } from '../options/values.ts'
import { type ChosenTarget, readTarget } from '../project/choose.ts'
import { secretsOfMachine, secretsOfVariables } from '../project/known-secrets.ts'
import { missingVariables, readProject } from '../project/read.ts'
import { agreementsOf, judgeOn } from '../run/judge.ts'
import { judgeOf, provenRun, proverFor } from '../run/proofs.ts'
import { readRedactor, secretsOf } from '../run/redaction.ts'
import { suiteOptions } from '../run/suite-options.ts'
import { findModel } from '../target/models.ts'
import { planTarget } from '../target/plan-target.ts'
import type { TargetPlan } from '../target/target-plan.ts'
import { type Io, WITHOUT_CODE } from '../terminal/io.ts'
import { namesFile, submittedOptions, type TargetSetup } from './target-data.ts'

interface WorkerSettings {
  readonly allowExec: boolean
  readonly quiet: boolean
  readonly io: Io
}

/** Prepares a target, or returns the reason why this machine cannot attack the target, without secrets. */
export async function prepareTarget(
  target: CampaignTarget,
  campaign: Pick<CampaignRow, 'plan'>,
  spend: (usage: CallUsage) => void,
  settings: WorkerSettings,
): Promise<Result<LocalTarget, string>> {
  const local = await prepareHere(target, campaign, spend, settings)
  if (local.ok) return local
  const { io } = settings
  const texts = Object.values(target.files ?? {}).map((content) => Buffer.from(content, 'base64').toString('utf8'))
  const named = [JSON.stringify(target.setup), ...texts].flatMap((text) => [...text.matchAll(/\$\{(\w+)\}/g)])
  const variables = named.map(([, name = '']) => name)
  const secrets = [...(await secretsOfMachine(undefined, io)), ...secretsOfVariables(variables, io)]
  const redactor = readRedactor([], true, secrets)
  return redactor.ok ? err(redactor.value.text(local.error)) : redactor
}

async function prepareHere(
  target: CampaignTarget,
  { plan }: Pick<CampaignRow, 'plan'>,
  spend: (usage: CallUsage) => void,
  { allowExec, quiet, io }: WorkerSettings,
): Promise<Result<LocalTarget, string>> {
  const { files = {} } = target
  const setup = readSetup(target.setup, files)
  if (!setup.ok) return setup
  if (!allowExec && needsExec(setup.value, files)) return err(WITHOUT_CODE)
  const judge = await prepareJudge(plan.judge, spend, quiet, io)
  if (!judge.ok) return judge
  const { path: folder, remove: close } = openTemporaryFolder('joust-target-')
  await writeFiles(folder, setup.value, files).catch(async (thrown) => {
    await close()
    throw thrown
  })
  const planned = await planHere(setup.value, plan.redact ?? [], { folder, mayRunCode: allowExec }, io)
  if (!planned.ok) {
    await close()
    return planned
  }
  const { options } = planned.value.target
  const redactor = readRedactor(options.redact, true, await secretsOf(planned.value.target, io))
  if (!redactor.ok) {
    await close()
    return redactor
  }
  const prover = proverFor(io, plan)
  const { run, skipPreflight, allowUnproven } = suiteOptions(options, planned.value.plan, redactor.value, prover)
  const proofOf = async (one: SuiteAttack) =>
    (await prover.prove([one], judgeOf(judge.value))).get(one.attack.fingerprint)
  const { service } = planned.value.plan
  const proven = async (which: SuiteRun) => {
    await service?.open()
    return provenRun(which, run, () => proofOf(which), allowUnproven)
  }
  const closeAll = async () => {
    await service?.close()
    await close()
  }
  const more = defined({ skipPreflight, judge: judge.value })
  return ok({ run: proven, redactor: redactor.value, close: closeAll, ...more })
}

async function prepareJudge(
  model: string | undefined,
  spend: (usage: CallUsage) => void,
  quiet: boolean,
  io: Io,
): Promise<Result<LocalJudge | undefined, string>> {
  if (model === undefined) return ok(undefined)
  const resolved = await findModel(model, undefined, io)
  if (!resolved.ok) return err(`--judge ${model}: ${resolved.error}`)
  // Runs in progress are still judged when the worker stops.
  const judge = await judgeOn(model, resolved.value.bound, { spend, signal: new AbortController().signal }, io)
  return ok({ ...judge, agreements: (attacks) => agreementsOf(attacks, judge.evaluator, quiet, io) })
}

/** Reads a setup. Rejects references to files that were not submitted, so that no file on this machine can be read. */
function readSetup(setup: Value, files: Readonly<Record<string, string>>): Result<TargetSetup, string> {
  if (!isRecord(setup) || !isRecord(setup.given)) return err('expected the options to be an object')
  // Written by a command of the same version; other versions use another database.
  const read = setup as unknown as TargetSetup
  const unsupported = Object.keys(read.given).find((key) => !submittedOptions.includes(key))
  if (unsupported !== undefined) return err(`option ${unsupported} is not supported by workers`)
  const fault = nameFault(Object.keys(files), read.home)
  if (fault !== undefined) return err(fault)
  const named = Object.entries(read.given).flatMap(([key, words = []]) => words.filter((word) => namesFile(key, word)))
  const foreign = [...named, ...(read.project === undefined ? [] : [read.project])].find(
    (name) => !Object.hasOwn(files, name),
  )
  return foreign === undefined ? ok(read) : err(`the target refers to a file that was not submitted: ${foreign}`)
}

/** Rejects names that file systems, variables or normalization change: the file read would not be the checked file. */
function nameFault(files: readonly string[], home: string): string | undefined {
  const outside = [...files, home].find(
    (name) => posix.isAbsolute(name) || win32.isAbsolute(name) || /^\.\.(?:$|[\\/])/.test(posix.normalize(name)),
  )
  if (outside !== undefined) return `a file is outside the folder: ${outside}`
  const isPlain = (name: string) => posix.normalize(name) === name && !/[\\\0]|\$\{|\/$/.test(name)
  const unsupported = [...files.filter((name) => !isPlain(name) || name === '.'), ...(isPlain(home) ? [] : [home])]
  if (unsupported[0] !== undefined) return `a file name is not normalized: ${unsupported[0]}`
  const places = new Map<string, string>()
  for (const name of files) {
    const key = name.normalize('NFC').toLowerCase()
    const other = places.get(key)
    if (other !== undefined) return `two file names collide on some file systems: ${other} and ${name}`
    places.set(key, name)
  }
  const folders = [...places].flatMap(([key, name]) => parentsOf(key).map((parent) => [parent, name] as const))
  const inFile = folders.find(([parent]) => places.has(parent))
  return inFile && `the parent folder of a file is itself a file: ${inFile[1]}`
}

function parentsOf(path: string): readonly string[] {
  const parent = posix.dirname(path)
  return parent === '.' ? [] : [parent, ...parentsOf(parent)]
}

/** True if attacking the target runs code. Code that this check misses is refused when loaded. */
function needsExec({ given, value = {}, project }: TargetSetup, files: Readonly<Record<string, string>>): boolean {
  const { exec, acp, module, target = [] } = given
  // `mcp=command args` starts a command, `mcp=URL` does not.
  const starts = target.some((place) => !isUrl(place.slice(place.indexOf('=') + 1)))
  if (exec !== undefined || acp !== undefined || module !== undefined || starts || Object.hasOwn(value, 'serve'))
    return true
  return Object.entries(files).some(([name, content]) => {
    // Agents and model scripts run no code; bindings may, and so may files that are not YAML.
    if (name !== project && /\.agf\.(?:ya?ml|json)$/.test(name)) return false
    const source = readSource(Buffer.from(content, 'base64').toString('utf8'))
    return !source.ok || namesCode(source.value.value)
  })
}

function namesCode(value: Value): boolean {
  if (isList(value)) return value.some(namesCode)
  if (!isRecord(value)) return false
  return Object.entries(value).some(([key, inner]) => key === 'command' || key === 'module' || namesCode(inner))
}

async function writeFiles(
  folder: string,
  { home }: TargetSetup,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(join(folder, home), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    const bytes = Buffer.from(content, 'base64')
    // A command may start a script with an interpreter line.
    await writeFile(path, bytes, bytes.subarray(0, 2).toString() === '#!' ? { mode: 0o755 } : {})
  }
}

async function planHere(
  { given, value, name, home, project: file }: TargetSetup,
  redact: readonly string[],
  confined: NonNullable<Io['confined']>,
  io: Io,
): Promise<Result<{ readonly target: ChosenTarget; readonly plan: TargetPlan }, string>> {
  let output = ''
  const write = (text: string) => {
    output += text
  }
  const { folder } = confined
  const stdin = async () => new Uint8Array()
  const quiet: Io = { ...io, cwd: folder, confined, stdin, stderr: { isTTY: false, write, writeData: write } }
  const failure = () => err(output.replaceAll(/^joust: /gm, '').trim() || 'the target cannot be prepared')
  const project = file === undefined ? ok(undefined) : await readProject(file, true, quiet)
  if (!project.ok) return failure()
  const unset = project.value && missingVariables(project.value.source, value ?? {}, [], io)
  if (unset !== undefined && unset.length > 0) return err(unset.map(({ message }) => message).join('; '))
  const words = { ...given, ...(redact.length > 0 && { redact }) }
  const draft = { ...defined({ name, value }), given: words, home: join(folder, home), project: project.value }
  const target = await readTarget(draft, quiet)
  if (!target.ok) return err(target.error.join('; '))
  const plan = await planTarget(target.value, quiet)
  if (!plan.ok) return failure()
  const missing = await missingKeys(target.value.options, plan.value, io)
  return missing === undefined ? ok({ target: target.value, plan: plan.value }) : err(missing)
}

async function missingKeys(
  { agent, model, script }: RunOptions,
  { models = [] }: Pick<TargetPlan, 'models'>,
  io: Io,
): Promise<string | undefined> {
  if (agent === undefined) return undefined
  const { resolveModel } = await import('@joust/runtime')
  const references = model === undefined ? models : [model]
  for (const reference of references) {
    if (reference === 'sim/scripted' && script !== undefined) continue
    const resolved = await resolveModel(reference, io.env)
    // Other errors are ignored: the name may be defined in a configuration.
    if (!resolved.ok && resolved.error.code === 'missing_key') return resolved.error.message
  }
  return undefined
}
