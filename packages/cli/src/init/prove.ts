/** Asks for consent to run the agents in a folder, and suggests fixes for agents that do not work. */
import { join } from 'node:path'
import type { PreflightStep, ResultPreflight } from '@joust/results'
import { PROJECT_FILE } from '@joust/runtime/bindings'
import { printable } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import { textOf } from './code.ts'
import { type Found, GLOBAL_PYTHON, VENV } from './look.ts'
import { JAVASCRIPT_FILE, PYTHON_FILE } from './wrapper.ts'

/** The model for the check. It calls every tool that it is asked to call, and needs no key. */
export const MODEL = 'sim/credulous'

/** Asks for the user's consent; returns false without a terminal. */
export async function isAllowed(names: readonly string[], io: Io): Promise<boolean> {
  const { ask } = io
  if (ask === undefined) return false
  const question = `Run ${printable(names.join(', '))} now with a simulated model, without a key? This starts your code. [y/N] `
  return io.stoppable(async (signal) => /^y(?:es)?$/i.test((await ask(question, signal)).trim()))
}

/**
 * Returns a line for each missing program or package that an agent needs to start; `wrappers` contains the files that
 * call the agents.
 */
export function lackLines(
  { javascript, python }: Found,
  wrappers?: ReadonlyMap<string, string | undefined>,
): readonly string[] {
  const called = wrappers && new Set(wrappers.values())
  const both = [
    [javascript, JAVASCRIPT_FILE],
    [python, PYTHON_FILE],
  ] as const
  return both.flatMap(([{ code, program, lack }, wrapper]) =>
    lack === undefined || called?.has(wrapper) === false ? [] : [`${code?.file ?? program?.file} ${lack}`],
  )
}

/**
 * Suggests changes, one line per missing ability; none if the agent works. `wrapper` is undefined if the user wrote the
 * call.
 */
export function explain(result: ResultPreflight, found: Found, io: World, wrapper: string | undefined): string[] {
  if (result.status === 'failed') return [adviceFor(result.reasons.join('\n'), found, io, wrapper, result.missing)]
  const place = wrapper === undefined ? 'the agent' : lineIn(wrapper, io, /history|memory|session|return/)
  return result.remembers === 'no' ? [`the agent forgets the first message: keep the conversation in ${place}`] : []
}

/** Suggests a change for the reason why an agent does not work. `wrapper` is the file that calls the agent. */
export function adviceFor(
  reason: string,
  found: Found,
  io: World,
  wrapper: string | undefined,
  missing?: PreflightStep,
): string {
  return (
    missingPackage(reason, found, io) ??
    missingExport(reason, found, io) ??
    missingVariable(reason, io) ??
    missingLogin(reason, io) ??
    askedAtImport(reason, found, io) ??
    ownSetting(reason, found, io, missing) ??
    raisedAt(reason, io.cwd) ??
    unconnected(missing, io, wrapper) ??
    'see the reason above; the location of the problem in the agent is unknown'
  )
}

function lineIn(wrapper: string, { cwd }: Pick<Io, 'cwd'>, words: RegExp): string {
  return `line ${lineOf(textOf(join(cwd, wrapper)), words)} of ${wrapper}`
}

type World = Pick<Io, 'cwd' | 'env'>

/** Suggests setting a missing environment variable; a command gets only the variables in `pass_env`. */
function missingVariable(reason: string, { cwd, env }: World): string | undefined {
  const [, other] = /\bKeyError: '([A-Z][A-Z0-9_]+)'/.exec(reason) ?? []
  const [name = other] = /\b[A-Z][A-Z0-9_]*_API_KEY\b/.exec(reason) ?? []
  if (name === undefined) return undefined
  const lines = textOf(join(cwd, PROJECT_FILE)).split('\n')
  const index = lines.findIndex((line) => /^\s*pass_env:/.test(line))
  const isPassed = index < 0 || new RegExp(`\\b${name}\\b`).test(lines[index] ?? '')
  const steps = [
    ...((env[name] ?? '') === '' ? [`set ${name}`] : []),
    ...(isPassed ? [] : [`add ${name} to pass_env in line ${index + 1} of ${PROJECT_FILE}`]),
  ]
  return steps.length === 0 ? undefined : `${steps.join(', and ')}: the agent does not start without this variable`
}

/** Matches library errors about a missing login, and the usual locations of logins below the home folder. */
const noLogin =
  /Unable to locate credentials|NoCredentialsError|ProfileNotFound|default credentials were not found|DefaultAzureCredential failed|gcloud auth|\baz login|\/\.(?:aws|azure|config\/gcloud)\//i

/** Suggests `use_home`: a command gets an empty home folder, a function the user's. */
function missingLogin(reason: string, { cwd }: World): string | undefined {
  const lines = textOf(join(cwd, PROJECT_FILE)).split('\n')
  const index = lines.findIndex((line) => /^\s+exec:/.test(line))
  if (!noLogin.test(reason) || index < 0 || lines.some((line) => /^\s+use_home:\s*true/.test(line))) return undefined
  const place = `below line ${index + 1} of ${PROJECT_FILE}`
  return `a command gets an empty home folder, without your logins: add use_home: true ${place} if attacks may read your home folder`
}

/** Matches top-level calls that run the agent while its module is loaded, before the model of a run is set. */
const askedOutside =
  /^(?:(?:export\s+)?(?:const|let|var)\s[^=]+=\s*)?await\b.*\b(?:run|generate\w*|stream\w*|invoke)\(|^(?:\w+\s*=\s*)?(?:[\w.]+\.run_sync|asyncio\.run)\(/

function askedAtImport(reason: string, found: Found, { cwd }: World): string | undefined {
  if (!/cannot load the module|event loop/i.test(reason)) return undefined
  for (const file of codeFiles(found)) {
    const lines = textOf(join(cwd, file)).split('\n')
    const index = lines.findIndex((line) => askedOutside.test(line))
    if (index < 0) continue
    const uses = /^[^(]*=/.test(lines[index] ?? '') ? ' and the lines that use its result' : ''
    return `${file} runs the agent when it is loaded: move line ${index + 1}${uses} into a function`
  }
  return undefined
}

/** Settings in the agent's own file that keep the simulated model from answering or from calling tools. */
const ownSettings: readonly (readonly [reason: RegExp | 'missing', setting: RegExp, advice: string])[] = [
  [
    /connect|ENOTFOUND|EAI_AGAIN|fetch failed|request failed|\b40[134]\b|unauthorized|not found/i,
    /\bbase_?url\b\s*[:=]\s*["'`]https?:/i,
    'the address of the model is fixed, so the agent does not use the one from its environment: remove it from',
  ],
  ['missing', /\btool_?choice\b["']?\s*[:=]\s*["']none["']/i, 'the agent forbids its model to call tools: change'],
]

function codeFiles({ javascript, python }: Found): readonly string[] {
  return [javascript, python].flatMap(({ code, program }) => code?.file ?? program?.file ?? [])
}

function ownSetting(
  reason: string,
  found: Found,
  { cwd }: Pick<Io, 'cwd'>,
  missing: PreflightStep | undefined,
): string | undefined {
  const files = codeFiles(found)
  for (const [sign, setting, advice] of ownSettings) {
    const isPossible = sign === 'missing' ? missing !== undefined : sign.test(reason)
    for (const file of isPossible ? files : []) {
      const index = textOf(join(cwd, file))
        .split('\n')
        .findIndex((line) => setting.test(line))
      if (index >= 0) return `${advice} line ${index + 1} of ${file}`
    }
  }
  return undefined
}

function missingPackage(reason: string, found: Found, { cwd }: Pick<Io, 'cwd'>): string | undefined {
  const [, python, javascript] =
    /No module named '([\w.]+)'|Cannot find (?:package|module) '([^'/.][^']*)'/.exec(reason) ?? []
  const name = python ?? javascript
  if (name === undefined) return undefined
  const { code } = python === undefined ? found.javascript : found.python
  // A module that the agent imports itself is a package of the project.
  const isTheirs = code !== undefined && textOf(join(cwd, code.file)).includes(name)
  const needed = isTheirs || code?.form?.needs === undefined ? undefined : JSON.stringify(code.form.needs)
  const all = manifestWords(cwd) ?? code?.form?.distributions[0] ?? '.'
  const install = python === undefined ? `npm install ${needed ?? ''}`.trim() : pipCommand(needed, all, found, cwd)
  return `the package ${name} is not installed: ${install}`
}

/** Returns the arguments of `pip install` for the packages of a Python project. */
function manifestWords(cwd: string): string | undefined {
  if (textOf(join(cwd, 'requirements.txt')) !== '') return '-r requirements.txt'
  return textOf(join(cwd, 'pyproject.toml')) === '' ? undefined : '.'
}

function pipCommand(needed: string | undefined, all: string, { interpreter }: Found, cwd: string): string {
  if (interpreter !== GLOBAL_PYTHON) return `${interpreter} -m pip install ${needed ?? all}`
  const line = textOf(join(cwd, PROJECT_FILE))
    .split('\n')
    .findIndex((one) => one.includes(`exec: ${GLOBAL_PYTHON} `))
  const change = `in line ${line + 1} of ${PROJECT_FILE}, write ${VENV}/bin/python for ${GLOBAL_PYTHON}`
  const words = ['install', all, ...(needed === undefined ? [] : [needed])]
  return `${GLOBAL_PYTHON} -m venv ${VENV} && ${VENV}/bin/pip ${words.join(' ')}; then, ${change}`
}

/** Suggests an export. Also mentions a top-level call, because that call would cause the next error. */
function missingExport(reason: string, found: Found, io: World): string | undefined {
  const [, file, name] = /module '\.\/([^']+)' does not provide an export named '([^']+)'/.exec(reason) ?? []
  if (file === undefined || name === undefined) return undefined
  const declared = new RegExp(`^(?:const|let|var)\\s+${name.replaceAll('$', '\\$')}(?![\\w$])`)
  const index = textOf(join(io.cwd, file))
    .split('\n')
    .findIndex((line) => declared.test(line))
  const place = index < 0 ? `export ${name} from it` : `write export at the beginning of line ${index + 1}`
  const advice = askedAtImport(reason, found, io)
  return `${name} in ${file} is not exported: ${place}${advice === undefined ? '' : `; ${advice}`}`
}

const FRAMES = /File "([^"\n]+)", line (\d+)(?:, in (\S+))?|(?:file:\/\/)?(\/[^\s()]+\.[cm]?[jt]s):(\d+)/g

/** Returns the innermost traceback frame in the folder, preferably one in the user's code rather than in a wrapper. */
function raisedAt(reason: string, cwd: string): string | undefined {
  const frames = [...reason.matchAll(FRAMES)]
    .map(([, python, line, name, javascript, other]) => {
      return { path: python ?? javascript ?? '', line: line ?? other, name }
    })
    .filter(({ path }) => path.startsWith(`${cwd}/`) && !/\/(?:\.?venv|node_modules|site-packages)\//.test(path))
    .map(({ path, ...frame }) => ({ file: path.slice(cwd.length + 1), ...frame }))
  const own = frames.filter(({ file }) => file !== JAVASCRIPT_FILE && file !== PYTHON_FILE)
  // The loop that calls the agent is never the cause.
  const isLooping = frames.some(({ name }) => name === 'serve')
  const ours = isLooping ? frames.filter(({ name }) => name === 'answer') : frames
  const of = own.length > 0 ? own : ours
  // Python prints the innermost frame last.
  const innermost = of.at(-1)?.file.endsWith('.py') === true ? of.at(-1) : of[0]
  return innermost && `it raised an exception: change line ${innermost.line} of ${innermost.file}`
}

function unconnected(
  missing: PreflightStep | undefined,
  io: Pick<Io, 'cwd'>,
  wrapper: string | undefined,
): string | undefined {
  if (missing !== 'connection' && missing !== 'tool_list') return undefined
  const place = wrapper && `: ${lineIn(wrapper, io, /(?<!def )mcp_servers\(\)|^(?!\/\/).*mcpServers/m)}`
  return `pass the MCP servers to the agent${place ?? ''}`
}

/** Providers: words in an agent that identify them, and the variables for their keys. One variable is enough. */
const providers: readonly (readonly [words: RegExp, keys: readonly string[]])[] = [
  [/anthropic|claude-/i, ['ANTHROPIC_API_KEY']],
  [/gemini|google_genai|@ai-sdk\/google/i, ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY']],
  [/openai|gpt-/i, ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_API_BASE']],
]

/** Suggests setting a key if the agent or `models` mentions providers but none of their keys is set. */
export function keyStep(found: Found | undefined, models: string, { cwd, env }: Pick<Io, 'cwd' | 'env'>): string[] {
  const files = found === undefined ? [] : codeFiles(found)
  const texts = [...files, '.env', '.env.local'].map((file) => textOf(join(cwd, file)))
  const text = [models, ...texts].join('\n')
  const needed = providers.filter(([words]) => words.test(text)).map(([, keys]) => keys)
  const isSet = (name: string) => (env[name] ?? '') !== '' || new RegExp(`\\b${name}\\b`).test(text)
  if (needed.length === 0 || needed.some((keys) => keys.some(isSet))) return []
  const names = needed.map(([name]) => name).join(' or ')
  return [`      set ${names} first, or add --with-model ${MODEL}, which needs no key`]
}

/** Returns the number of the first matching line in the function that answers. */
function lineOf(text: string, words: RegExp): number {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /def answer\(|function answer\(/.test(line))
  const index = lines.findIndex((line, number) => number > start && words.test(line))
  return Math.max(index, start, 0) + 1
}
