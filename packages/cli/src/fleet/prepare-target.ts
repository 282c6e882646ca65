/**
 * Turns a target that came as data into one that this worker can attack: files in a folder of their own, secrets from
 * the environment.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, posix, win32 } from 'node:path'
import type { CallUsage } from '@joust/arena'
import type { CampaignRow, CampaignTarget, PreparedJudge, PreparedTarget } from '@joust/fleet'
import { openTemporaryFolder } from '@joust/io'
import { err, isList, isRecord, ok, type Result, readSource, type Value } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import { isUrl } from '../options/values.ts'
import { type RunTarget, readTarget } from '../project/choose.ts'
import { secretsOfMachine, secretsOfVariables } from '../project/known-secrets.ts'
import { missingVariables, readProject } from '../project/read.ts'
import { agreementsOf, judgeOn } from '../run/judge.ts'
import { planOf } from '../run/plan.ts'
import { readRedactor, secretsOf } from '../run/redaction.ts'
import { controlSkipped, limitsOf, spendOn } from '../run/suite.ts'
import { findModel } from '../target/models.ts'
import { planTarget } from '../target/plan-target.ts'
import type { TargetPlan } from '../target/target-plan.ts'
import { type Io, WITHOUT_CODE } from '../terminal/io.ts'
import { carried, namesFile, type TargetSetup } from './target-data.ts'

/** What a worker prepares targets with. */
interface WorkerSettings {
  readonly allowExec: boolean
  readonly quiet: boolean
  readonly io: Io
}

/** Prepares a target, or says why this machine cannot attack it: others will read that, so it holds no secret. */
export async function prepareTarget(
  target: CampaignTarget,
  campaign: Pick<CampaignRow, 'plan'>,
  spend: (usage: CallUsage) => void,
  settings: WorkerSettings,
): Promise<Result<PreparedTarget, string>> {
  const made = await prepareHere(target, campaign, spend, settings)
  if (made.ok) return made
  const { io } = settings
  const texts = Object.values(target.files ?? {}).map((content) => Buffer.from(content, 'base64').toString('utf8'))
  const named = [JSON.stringify(target.setup), ...texts].flatMap((text) => [...text.matchAll(/\$\{(\w+)\}/g)])
  const variables = named.map(([, name = '']) => name)
  const secrets = [...(await secretsOfMachine(undefined, io)), ...secretsOfVariables(variables, io)]
  const redactor = readRedactor([], true, secrets)
  return redactor.ok ? err(redactor.value.text(made.error)) : redactor
}

async function prepareHere(
  target: CampaignTarget,
  { plan }: Pick<CampaignRow, 'plan'>,
  spend: (usage: CallUsage) => void,
  { allowExec, quiet, io }: WorkerSettings,
): Promise<Result<PreparedTarget, string>> {
  const { files = {} } = target
  const setup = readSetup(target.setup, files)
  if (!setup.ok) return setup
  if (!allowExec && needsExec(setup.value, files)) return err(`it ${WITHOUT_CODE}`)
  const judge = await prepareJudge(plan.judge, spend, quiet, io)
  if (!judge.ok) return judge
  const { path: folder, remove: close } = openTemporaryFolder('joust-target-')
  await writeFiles(folder, setup.value, files).catch(async (thrown) => {
    await close()
    throw thrown
  })
  const made = await planHere(setup.value, plan.redact ?? [], { folder, mayRunCode: allowExec }, io)
  if (!made.ok) {
    await close()
    return made
  }
  const { options } = made.value.target
  const redactor = readRedactor(options.redact, true, await secretsOf(made.value.target, io))
  if (!redactor.ok) {
    await close()
    return redactor
  }
  const skipControl = controlSkipped(options)
  return ok({
    redactor: redactor.value,
    close,
    ...(skipControl !== undefined && { skipControl }),
    ...(judge.value && { judge: judge.value }),
    run: async ({ spend: spent }) => ({
      ...(await made.value.plan.make({ onEvent: (event) => spendOn(event, spent) })),
      allowHosts: options.allowHost,
      limits: limitsOf(planOf(options)),
    }),
  })
}

/** The judge that a plan names, on this machine's key; what is missing is named in the error. */
async function prepareJudge(
  model: string | undefined,
  spend: (usage: CallUsage) => void,
  quiet: boolean,
  io: Io,
): Promise<Result<PreparedJudge | undefined, string>> {
  if (model === undefined) return ok(undefined)
  const found = await findModel(model, undefined, io)
  if (!found.ok) return err(`--judge ${model}: ${found.error}`)
  // Runs under way when the worker is told to stop are still judged.
  const judge = await judgeOn(model, found.value.bound, { spend, signal: new AbortController().signal }, io)
  return ok({ ...judge, agreements: (attacks) => agreementsOf(attacks, judge.evaluator, quiet, io) })
}

/** Whoever submits a campaign has no say over the files of this machine: only files that came along may be named. */
function readSetup(setup: Value, files: Readonly<Record<string, string>>): Result<TargetSetup, string> {
  if (!isRecord(setup) || !isRecord(setup.given)) return err('its options are not a mapping')
  // Written by the command line of the same version; another version uses another database.
  const read = setup as unknown as TargetSetup
  const strange = Object.keys(read.given).find((key) => !carried.includes(key))
  if (strange !== undefined) return err(`${strange} is not an option that is sent to workers`)
  const fault = nameFault(Object.keys(files), read.home)
  if (fault !== undefined) return err(fault)
  const named = Object.entries(read.given).flatMap(([key, words = []]) => words.filter((word) => namesFile(key, word)))
  const foreign = [...named, ...(read.project === undefined ? [] : [read.project])].find(
    (name) => !Object.hasOwn(files, name),
  )
  return foreign === undefined ? ok(read) : err(`it names a file that was not sent with it: ${foreign}`)
}

/**
 * Why files cannot be written under their names. A name that is not in its plain form, or that a file system or a
 * variable turns into another one, would be checked as one file and read as another.
 */
function nameFault(files: readonly string[], home: string): string | undefined {
  const outside = [...files, home].find(
    (name) => posix.isAbsolute(name) || win32.isAbsolute(name) || /^\.\.(?:$|[\\/])/.test(posix.normalize(name)),
  )
  if (outside !== undefined) return `one of its files is outside its folder: ${outside}`
  const isPlain = (name: string) => posix.normalize(name) === name && !/[\\\0]|\$\{|\/$/.test(name)
  const strange = [...files.filter((name) => !isPlain(name) || name === '.'), ...(isPlain(home) ? [] : [home])]
  if (strange[0] !== undefined) return `the name of one of its files is not in its plain form: ${strange[0]}`
  const places = new Map<string, string>()
  for (const name of files) {
    const key = name.normalize('NFC').toLowerCase()
    const other = places.get(key)
    if (other !== undefined) return `two of its files would be the same one on some machines: ${other} and ${name}`
    places.set(key, name)
  }
  const folders = [...places].flatMap(([key, name]) => parentsOf(key).map((parent) => [parent, name] as const))
  const inFile = folders.find(([parent]) => places.has(parent))
  return inFile && `one of its files is below another file: ${inFile[1]}`
}

function parentsOf(path: string): readonly string[] {
  const parent = posix.dirname(path)
  return parent === '.' ? [] : [parent, ...parentsOf(parent)]
}

/** Whether attacking it runs code that it brings along or names; what this misses is refused where it would run. */
function needsExec({ given, project }: TargetSetup, files: Readonly<Record<string, string>>): boolean {
  const { exec, acp, module, target = [] } = given
  // `mcp=command args` starts a command, `mcp=URL` does not.
  const starts = target.some((place) => !isUrl(place.slice(place.indexOf('=') + 1)))
  if (exec !== undefined || acp !== undefined || module !== undefined || starts) return true
  return Object.entries(files).some(([name, content]) => {
    // Agents and model scripts run nothing by themselves; bindings may, and so may anything that is not YAML.
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
    // A script with an interpreter line may be what a command starts.
    await writeFile(path, bytes, bytes.subarray(0, 2).toString() === '#!' ? { mode: 0o755 } : {})
  }
}

/** Plans the target as `joust run` does, with the folder as working directory. */
async function planHere(
  { given, value, name, home, project: file }: TargetSetup,
  redact: readonly string[],
  confined: NonNullable<Io['confined']>,
  io: Io,
): Promise<Result<{ readonly target: RunTarget; readonly plan: TargetPlan }, string>> {
  let said = ''
  const write = (text: string) => {
    said += text
  }
  const { folder } = confined
  const stdin = async () => new Uint8Array()
  const quiet: Io = { ...io, cwd: folder, confined, stdin, stderr: { isTTY: false, write, writeData: write } }
  const told = () => err(said.replaceAll(/^joust: /gm, '').trim() || 'it cannot be set up')
  const project = file === undefined ? ok(undefined) : await readProject(file, true, quiet)
  if (!project.ok) return told()
  const unset = project.value && missingVariables(project.value.source, value ?? {}, [], io)
  if (unset !== undefined && unset.length > 0) return err(unset.map(({ message }) => message).join('; '))
  const draft = {
    ...(name !== undefined && { name }),
    given: { ...given, ...(redact.length > 0 && { redact }) },
    ...(value !== undefined && { value }),
    home: join(folder, home),
    project: project.value,
  }
  const target = await readTarget(draft, quiet)
  if (!target.ok) return err(target.error.join('; '))
  const plan = await planTarget(target.value, quiet)
  if (!plan.ok) return told()
  const missing = await missingKeys(target.value.options, plan.value, io)
  return missing === undefined ? ok({ target: target.value, plan: plan.value }) : err(missing)
}

/** What is missing, as a sentence; undefined when every model can be asked. */
async function missingKeys(
  { agent, model, script }: RunOptions,
  { models = [] }: Pick<TargetPlan, 'models'>,
  io: Io,
): Promise<string | undefined> {
  if (agent === undefined) return undefined
  const { resolveModel } = await import('@joust/runtime')
  const asked = model === undefined ? models : [model]
  for (const reference of asked) {
    if (reference === 'sim/scripted' && script !== undefined) continue
    const found = await resolveModel(reference, io.env)
    // A name that a configuration explains is not a reference; only a key can be missing.
    if (!found.ok && found.error.code === 'missing_key') return found.error.message
  }
  return undefined
}
