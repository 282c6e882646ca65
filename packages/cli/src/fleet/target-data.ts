/** A target as data: its options, and the content of every file that they lead to. No secret is among them. */
import { dirname, relative, resolve, sep } from 'node:path'
import { knownShapes } from '@joust/arena'
import type { CampaignTarget } from '@joust/fleet'
import { err, ok, type Result, type Value } from '@joust/source'
import { STDIN } from '../input/read.ts'
import type { RunOptions } from '../options/run.ts'
import { filesOf } from '../run/identity.ts'
import type { TargetPlan } from '../run/target.ts'
import type { Io } from '../terminal/io.ts'

/** The options that a worker needs to make a target of; paths are relative to its files. */
const carried = [
  ...['agent', 'model', 'target', 'exec', 'bind', 'header', 'prompt', 'approve', 'inProcess', 'config', 'script'],
  ...['allowHost', 'maxDuration', 'observe', 'grace'],
] as const

/** The options that name a file. */
export const fileOptions = ['agent', 'config', 'script', 'approve'] as const

/** Packs a target; the error is a sentence. */
export async function packTarget(
  options: RunOptions,
  { about, texts = new Map() }: Pick<TargetPlan, 'about' | 'texts'>,
  io: Io,
): Promise<Result<CampaignTarget, string>> {
  if (options.agent === STDIN) return err('--queue needs a file for --agent: workers have another standard input')
  const found = new Map([...(await filesOf(options, io))].map(([name, text]) => [name, Buffer.from(text, 'latin1')]))
  for (const [name, text] of texts) found.set(name, Buffer.from(text))
  const paths = new Map([...found].map(([name, bytes]) => [resolve(io.cwd, name), bytes]))
  const root = commonFolder([...paths.keys()], io.cwd)
  const setup = Object.fromEntries(
    carried.flatMap((key) => {
      const value = options[key]
      if (value === undefined) return []
      const isFile = fileOptions.some((name) => name === key) && paths.has(resolve(io.cwd, String(value)))
      return [[key, isFile ? portable(root, resolve(io.cwd, String(value))) : value]]
    }),
  )
  const secret = secretIn(setup, paths, root)
  if (secret !== undefined) return err(secret)
  const files = Object.fromEntries([...paths].map(([path, bytes]) => [portable(root, path), bytes.toString('base64')]))
  // Values of options are plain data.
  return ok({ name: nameOf(about), about, setup: setup as Value, files })
}

/** Two agents of one name on two models are two targets. */
function nameOf({ kind, name, details = {} }: CampaignTarget['about']): string {
  const model = kind === 'agent' ? details.model : undefined
  return `${kind} ${name}${model === undefined ? '' : ` on ${model}`}`
}

/** Why a target cannot travel: what looks like a secret stays here. */
function secretIn(
  setup: Readonly<Record<string, unknown>>,
  files: ReadonlyMap<string, Buffer>,
  root: string,
): string | undefined {
  const { spans } = knownShapes()
  const advice = `write \${NAME} and set NAME where workers run`
  for (const [key, value] of Object.entries(setup)) {
    if (spans(typeof value === 'string' ? value : JSON.stringify(value)).length > 0)
      return `--${key} holds what looks like a secret, and secrets do not travel: ${advice}`
  }
  const header = Object.entries(setup.header ?? {}).find(
    ([name, value]) => /authorization|cookie|key|token|secret/i.test(name) && !String(value).includes('${'),
  )
  if (header !== undefined) return `--header ${header[0]} holds its value, and secrets do not travel: ${advice}`
  const address = Object.values(setup.target ?? {}).find((place) => /^https?:\/\/[^/]*@/.test(String(place)))
  if (address !== undefined) return '--target holds a user or password, and secrets do not travel: send a --header'
  for (const [path, bytes] of files) {
    if (spans(bytes.toString('utf8')).length > 0)
      return `${portable(root, path)} holds what looks like a secret, and secrets do not travel: ${advice}`
  }
  return undefined
}

/** The innermost folder that holds all files. */
function commonFolder(paths: readonly string[], fallback: string): string {
  const [first, ...others] = paths.map((path) => dirname(path).split(sep))
  if (first === undefined) return fallback
  const shared = others.reduce((parts, other) => {
    const end = parts.findIndex((part, index) => other[index] !== part)
    return end === -1 ? parts : parts.slice(0, end)
  }, first)
  return shared.join(sep) || sep
}

function portable(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}
