/** A target as data: its options and the content of all files that the options refer to. Contains no secrets. */
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import type { CampaignTarget } from '@joust/fleet'
import { knownShapes } from '@joust/results'
import {
  err,
  isList,
  isRecord,
  isSecretName,
  isSizeName,
  ok,
  own,
  type Result,
  type Value,
  writeJson,
} from '@joust/source'
import { splitCommand } from '@joust/targets'
import { STDIN } from '../input/read.ts'
import { optionName, type TargetedRow } from '../options/option.ts'
import type { GivenOptions } from '../options/read.ts'
import { runOptions } from '../options/run.ts'
import { targetKeys } from '../options/targets.ts'
import { isUrl } from '../options/values.ts'
import type { ChosenTarget } from '../project/choose.ts'
import {
  findSecrets,
  findSecretsInWords,
  hasLiteral,
  passwordsBeforeHosts,
  secretParameters,
} from '../target/command-secrets.ts'
import { bindingsOf, filesOf } from '../target/identity.ts'
import type { TargetPlan } from '../target/target-plan.ts'
import type { Io } from '../terminal/io.ts'

/** Target options with unexpanded variables; all paths are relative to the submitted files. */
export interface TargetSetup {
  readonly name?: string
  readonly given: GivenOptions
  /** The target's entry in the project file. */
  readonly value?: Readonly<Record<string, Value>>
  /** Working folder of the target's commands. */
  readonly home: string
  /** The part of the project file that workers need. */
  readonly project?: string
}

const rows: Readonly<Record<string, TargetedRow>> = runOptions

export const submittedOptions: readonly string[] = [
  ...Object.keys(rows).filter(
    (key) =>
      rows[key]?.group === 'Target' && !['config', 'listen', 'wire', 'through', 'allowCall', 'answers'].includes(key),
  ),
  ...[targetKeys.http, targetKeys.function, 'maxDuration', 'replyTimeout', 'observe', 'grace', 'allowUnproven'],
]

/** True if an option value is a file path. */
export function namesFile(key: string, word: string): boolean {
  return rows[key]?.value.isPath?.(word) === true
}

export async function packTarget(
  target: ChosenTarget,
  { about, texts = new Map() }: Pick<TargetPlan, 'about' | 'texts'>,
  io: Io,
): Promise<Result<CampaignTarget, string>> {
  const { options, module, serve, home, project, draft } = target
  const [fixed] = (['gateway', 'modelListen'] as const).filter((key) => options[key] !== undefined)
  if (fixed !== undefined) return err(`${optionName(fixed)} ${ONE_ADDRESS}`)
  const absolute = filesOfBindings(bindingsOf(target) ?? null).find(isAbsolute)
  if (absolute !== undefined)
    return err(
      `absolute path ${absolute} in bindings; use a path relative to joust.yaml, so that the file is sent to workers`,
    )
  if (options.agent === STDIN) return err('--queue cannot be used with --agent -: workers cannot read standard input')
  const named = [...(await filesOf(target, io))].map(([name, text]) => [name, Buffer.from(text, 'latin1')] as const)
  const contents = [...named, ...[...texts].map(([name, text]) => [name, Buffer.from(text)] as const)]
  const there = absoluteWords(options)
  const placed = contents.map(([name, bytes]) => [resolve(io.cwd, name), bytes] as const)
  const paths = new Map(placed.filter(([path]) => !there.has(path)))
  if (module !== undefined && !paths.has(module.path)) return err(`${module.path} cannot be read`)
  if (project !== undefined) paths.set(project.path, Buffer.from(writeJson(projectOf(target))))
  const isRun = module !== undefined || serve !== undefined || commandsOf(options).length > 0
  const root = commonFolder([...[...paths.keys()].map(dirname), ...(isRun ? [home] : [])], io.cwd)
  const setup: TargetSetup = {
    ...(draft.name !== undefined && { name: draft.name }),
    given: wordsOf(draft.given, (path) => portable(root, resolve(io.cwd, path))),
    ...(draft.value !== undefined && { value: draft.value }),
    home: isRun ? portable(root, home) : '.',
    ...(project !== undefined && { project: portable(root, project.path) }),
  }
  const files = new Map([...paths].map(([path, bytes]) => [portable(root, path), bytes]))
  const secret = secretIn(target, setup, files, project === undefined ? null : projectOf(target))
  if (secret !== undefined) return err(secret)
  const encoded = Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString('base64')]))
  // Options and values of a project file are plain data.
  return ok({ name: nameOf(about), about, setup: setup as unknown as Value, files: encoded })
}

const ONE_ADDRESS =
  "cannot be used with --queue: the agent's configuration has one address, but runs are on many machines"

function filesOfBindings(bindings: Value): readonly string[] {
  if (isList(bindings)) return bindings.flatMap(filesOfBindings)
  if (!isRecord(bindings)) return []
  return Object.entries(bindings).flatMap(([key, value]) => {
    const isFile = typeof value === 'string' && (key === 'script' || key === 'module')
    return isFile ? [value] : filesOfBindings(value)
  })
}

function commandsOf({ exec, acp, target = {} }: ChosenTarget['options']): readonly string[] {
  const servers = Object.values(target).filter((place) => !isUrl(place))
  return [exec, acp, ...servers].filter((command) => command !== undefined)
}

/** Returns the absolute paths in the target's command lines; the paths refer to files on the worker machine. */
function absoluteWords(options: ChosenTarget['options']): ReadonlySet<string> {
  const lines = commandsOf(options).map((line) => splitCommand(line))
  return new Set(lines.flatMap((line) => (line.ok ? line.value.filter(isAbsolute) : [])))
}

function projectOf(target: ChosenTarget): Value {
  const bindings = bindingsOf(target)
  const { exec, acp } = target.options
  const name = (exec ?? acp)?.trim() ?? ''
  const whole = target.project?.source.value ?? null
  const presets = own(whole, 'presets')
  const preset = own(presets, name)
  return { ...(bindings !== undefined && { bindings }), ...(preset !== undefined && { presets: { [name]: preset } }) }
}

function wordsOf(given: GivenOptions, place: (path: string) => string): GivenOptions {
  const words = submittedOptions.flatMap((key) => {
    const values = given[key]
    return values === undefined ? [] : [[key, values.map((word) => (namesFile(key, word) ? place(word) : word))]]
  })
  return Object.fromEntries(words)
}

/** Returns the name of a target. Agents with the same name but different models are different targets. */
function nameOf({ kind, name, details = {} }: CampaignTarget['about']): string {
  const model = kind === 'agent' ? details.model : undefined
  return `${kind} ${name}${model === undefined ? '' : ` on ${model}`}`
}

const ADVICE = `use \${NAME} and set NAME in the workers' environment`
const FOR_COMMANDS = "set a variable NAME in the workers' environment and use --pass-env NAME"

function secretIn(
  { options }: ChosenTarget,
  setup: TargetSetup,
  files: ReadonlyMap<string, Buffer>,
  project: Value,
): string | undefined {
  const { spans } = knownShapes()
  const refused = (what: string) => `${what}; secrets are not sent to workers: ${ADVICE}`
  for (const [key, value] of Object.entries({ ...setup.given, ...setup.value })) {
    if (spans(JSON.stringify(value)).length > 0) return refused(`${key} seems to contain a secret`)
  }
  const { target: places = [], exec = [], execNext = [], acp = [] } = setup.given
  const written: Record<string, string> = {
    '--token': options.token ?? '',
    '--listen-token': options.listenToken ?? '',
    ...options.header,
    ...Object.fromEntries(
      places.map((place) => [`--target ${place.split('=', 1)}`, place.slice(place.indexOf('=') + 1)]),
    ),
    ...{ '--exec': exec[0] ?? '', '--exec-next': execNext[0] ?? '', '--acp': acp[0] ?? '' },
  }
  const faults = [written, setup.value ?? {}, project].flatMap((value) => [...secretsWritten(value, '')])
  if (faults[0] !== undefined) return faults[0]
  for (const [name, bytes] of files) {
    if (spans(bytes.toString('utf8')).length > 0) return refused(`${name} seems to contain a secret`)
  }
  return undefined
}

/** Yields an error for each literal secret in a value, by the rules that hide secrets in command lines. */
function* secretsWritten(value: Value, key: string): Generator<string> {
  if (typeof value === 'string') yield* secretsInText(value, key)
  else if (isList(value)) {
    if (['command', 'args', 'acp', 'next'].includes(key)) yield* secretsInCommand(value.map(String), 'command')
    // `keys` of a preset are the names of variables.
    else if (key !== 'keys') for (const item of value) yield* secretsWritten(item, key)
  } else if (isRecord(value)) {
    const { name, key: label, header, value: named, command, args } = value
    // `{ name: Authorization, value: … }`
    for (const title of [name, label, header])
      if (typeof title === 'string' && named !== undefined) yield* secretsWritten(named, title)
    // The meaning of options depends on the program.
    if (typeof command === 'string' && isList(args)) yield* secretsInCommand([command, ...args.map(String)], 'command')
    for (const [field, item] of Object.entries(value)) yield* secretsWritten(item, field)
  }
}

function* secretsInText(text: string, key: string): Generator<string> {
  if (isUrl(text)) return yield* secretsInAddress(text, key)
  if (isSecretName(key) && hasLiteral(text) && !(isSizeName(key) && /^\d+$/.test(text)))
    yield `${key} contains a secret; secrets are not sent to workers: ${ADVICE}`
  else if (passwordsBeforeHosts(text).some(({ start, end }) => hasLiteral(text.slice(start, end))))
    yield `${key} contains a password; secrets are not sent to workers: ${ADVICE}`
  const isCommand = /^(?:--exec|--exec-next|--acp|--target .*|exec|exec_next|acp|mcp|command)$/.test(key)
  if (isCommand) yield* secretsInCommand(text, key)
}

function* secretsInCommand(command: string | readonly string[], key: string): Generator<string> {
  const text = typeof command === 'string' ? command : command.join(' ')
  for (const [address] of text.matchAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"']+/gi)) yield* secretsInAddress(address, key)
  const [open] = typeof command === 'string' ? findSecrets(command) : findSecretsInWords(command)
  if (open !== undefined)
    yield `${key} contains a secret (${open.name}); secrets are not sent to workers: ${FOR_COMMANDS}`
  else if (RANDOM.test(text)) yield `${key} seems to contain a secret; secrets are not sent to workers: ${FOR_COMMANDS}`
}

/** Matches a sequence of letters and digits that is too long for a name; model and file names have hyphens and dots. */
const RANDOM = /(?<![\w.-])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{20,}(?![\w.-])/

function* secretsInAddress(url: string, key: string): Generator<string> {
  const [, user = ''] = /^[^:]*:\/\/([^/?#]*)@/.exec(url) ?? []
  // Other schemes often have a user name alone: `ssh://git@host`.
  if (hasLiteral(user) && (/^https?:/i.test(url) || user.includes(':')))
    yield `a URL contains a user or password; secrets are not sent to workers: send a header, and ${ADVICE}`
  for (const name of secretParameters(url))
    yield `the URL in ${key} contains a secret (${name}); secrets are not sent to workers: ${ADVICE}`
}

function commonFolder(folders: readonly string[], fallback: string): string {
  const [first, ...others] = folders.map((folder) => folder.split(sep))
  if (first === undefined) return fallback
  const shared = others.reduce((parts, other) => {
    const end = parts.findIndex((part, index) => other[index] !== part)
    return end === -1 ? parts : parts.slice(0, end)
  }, first)
  return shared.join(sep) || sep
}

function portable(root: string, path: string): string {
  return relative(root, path).split(sep).join('/') || '.'
}
