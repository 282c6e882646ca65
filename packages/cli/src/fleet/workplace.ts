/** A target as data made ready on the machine of a worker: files in a folder of their own, secrets from the environment. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import type { CampaignRow, CampaignTarget, PreparedTarget } from '@joust/fleet'
import { err, isList, isRecord, ok, type Result, readSource, type Value } from '@joust/source'
import { defaultsOf } from '../options/read.ts'
import { type RunOptions, runOptions } from '../options/run.ts'
import { isUrl } from '../options/values.ts'
import { planOf } from '../run/plan.ts'
import { readRedactor } from '../run/redaction.ts'
import { limitsOf } from '../run/suite.ts'
import { planTarget, type TargetPlan } from '../run/target.ts'
import type { Io } from '../terminal/io.ts'
import { missingKeys } from './keys.ts'
import { fileOptions } from './target-data.ts'

/** Makes a target ready, or says why this machine cannot attack it. */
export async function prepareTarget(
  target: CampaignTarget,
  { plan }: Pick<CampaignRow, 'plan'>,
  allowExec: boolean,
  io: Io,
): Promise<Result<PreparedTarget, string>> {
  const options = readSetup(target)
  if (!options.ok) return options
  const { files = {} } = target
  if (!allowExec && needsExec(options.value, files))
    return err('it starts commands or loads modules, and this worker was started without --allow-exec')
  const redactor = readRedactor(plan.redact)
  if (!redactor.ok) return redactor
  const folder = await mkdtemp(join(tmpdir(), 'joust-target-'))
  const close = () => rm(folder, { recursive: true, force: true })
  const made = await writeFiles(folder, files, async () => planHere(options.value, folder, io))
  if (!made.ok) {
    await close()
    return made
  }
  const { allowHost } = options.value
  const limits = limitsOf(planOf(options.value))
  return ok({
    redactor: redactor.value,
    close,
    run: async ({ spend }) => ({
      ...(await made.value.make({ onEvent: (event) => event.type === 'model-answered' && spend(event.usage) })),
      allowHosts: allowHost,
      limits,
    }),
  })
}

/** The options of the target. Whoever submits a campaign has no say over files of this machine: only its own may be named. */
function readSetup({ setup, files = {} }: CampaignTarget): Result<RunOptions, string> {
  if (!isRecord(setup)) return err('its options are not a mapping')
  const foreign = fileOptions.find((key) => {
    const value = setup[key]
    return (
      value !== undefined &&
      !(key === 'approve' && (value === 'none' || value === 'all')) &&
      !Object.hasOwn(files, String(value))
    )
  })
  if (foreign !== undefined) return err(`--${foreign} names a file that did not come along`)
  // The command line of the same version has read them; another version has another database.
  return ok({ ...defaultsOf(runOptions), ...setup } as RunOptions)
}

/** Whether attacking it runs code that it brings along or names. */
function needsExec({ exec, target = {} }: RunOptions, files: Readonly<Record<string, string>>): boolean {
  if (exec !== undefined || Object.values(target).some((place) => !isUrl(place))) return true
  return Object.entries(files).some(([name, content]) => {
    // Agents and scripts of models run nothing by themselves; a configuration may, and so may what is not YAML.
    if (/\.agf\.(?:ya?ml|json)$/.test(name)) return false
    const source = readSource(Buffer.from(content, 'base64').toString('utf8'))
    return !source.ok || namesCode(source.value.value)
  })
}

function namesCode(value: Value): boolean {
  if (isList(value)) return value.some(namesCode)
  if (!isRecord(value)) return false
  return Object.entries(value).some(([key, inner]) => key === 'command' || key === 'module' || namesCode(inner))
}

async function writeFiles<T>(
  folder: string,
  files: Readonly<Record<string, string>>,
  then: () => Promise<Result<T, string>>,
): Promise<Result<T, string>> {
  for (const [name, content] of Object.entries(files)) {
    if (isAbsolute(name) || normalize(name).startsWith('..'))
      return err(`a file of it leads out of its folder: ${name}`)
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, Buffer.from(content, 'base64'))
  }
  return then()
}

/** The same way that `joust run` takes, with the folder as working directory. */
async function planHere(options: RunOptions, folder: string, io: Io): Promise<Result<TargetPlan, string>> {
  const said: string[] = []
  const quiet: Io = { ...io, cwd: folder, stderr: { isTTY: false, write: (text) => said.push(text) } }
  const planned = await planTarget(options, quiet)
  if (!planned.ok)
    return err(
      said
        .join('')
        .replaceAll(/^joust: /gm, '')
        .trim() || 'it cannot be set up',
    )
  const missing = await missingKeys(options, planned.value, io)
  return missing === undefined ? ok(planned.value) : err(missing)
}
