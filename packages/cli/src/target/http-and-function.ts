/** Targets that only a project file can name: an address with a request of its own, and a function. */
import type { HttpTargetOptions } from '@joust/arena'
import { err, isRecord, ok, suggest, writeJson } from '@joust/source'
import { inputFile } from '../input/discover.ts'
import type { RunOptions } from '../options/run.ts'
import { unknownWord } from '../options/unknown-word.ts'
import type { RunTarget } from '../project/choose.ts'
import { tellCode } from '../project/code.ts'
import type { Io } from '../terminal/io.ts'
import { turnLimit } from './command.ts'
import { planGateway } from './gateway.ts'
import { shownPlace } from './shown-command.ts'
import { type Planned, planOf } from './target-plan.ts'

/** The agent behind `http`. */
export async function planHttp(options: RunOptions, { http, name = 'http' }: RunTarget): Planned {
  // The shape of the file has been checked; `name` and the rest are ours.
  const settings = (isRecord(http) ? http : {}) as unknown as Omit<HttpTargetOptions, 'name'>
  // A dry run has no variables, and the address may begin with one.
  const isOpen = options.dryRun && settings.url.startsWith('${')
  if (!isOpen && !/^https?:\/\//.test(settings.url)) return err('http.url: write http://… or https://…')
  const fault = headerFault(settings.headers ?? {}) ?? placeholderFault(settings)
  if (fault !== undefined) return err(fault)
  const { httpTarget } = await import('@joust/arena')
  const { prompt, paste, replyTimeout, maxDuration } = options
  const timeoutMs = replyTimeout || maxDuration
  const found = await planGateway(options)
  const more = { paste, ...found, ...(prompt && { prompt }), ...(timeoutMs && { timeoutMs }) }
  const about = { kind: 'http', name: shownPlace(settings.url) } as const
  const plan = planOf(about, () => httpTarget({ ...settings, ...more, name }))
  return ok({ ...plan, ...(found.gateway && { gateway: found.gateway }) })
}

function headerFault(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]])
    } catch {
      return `http.headers.${name}: HTTP cannot carry this header`
    }
  }
  return undefined
}

const placeholders = ['{prompt}', '{conversation}', '{input}', '{mcp_servers}']

/** A request may contain braces of its own; those around a name that is almost one of ours are a slip. */
function placeholderFault({ url, body }: Pick<HttpTargetOptions, 'url' | 'body'>): string | undefined {
  const names = [...`${url} ${writeJson(body ?? {})}`.matchAll(/\{[\w.-]+\}/g)].map(([name]) => name)
  const slip = names.find((name) => suggest(name, placeholders) !== undefined)
  return slip && unknownWord(`http: there is no placeholder ${slip}`, slip, placeholders)
}

/** The function of `module`. A dry run does not load it. */
export async function planFunction(
  options: RunOptions,
  { module, project, home, name = 'function' }: RunTarget,
  io: Io,
): Planned {
  const { prompt, paste, carries, dryRun } = options
  if (module === undefined || project === undefined) return err('a function can only be named in a project file')
  const file = inputFile(module.path, io.cwd, true).name
  const { checkFunction, functionTarget } = await import('@joust/arena')
  const place = { module: module.path, export: module.export, cwd: home, environment: io.env }
  if (!dryRun) {
    tellCode(module.path, project, io)
    const checked = await checkFunction(place)
    if (!checked.ok) return err(`${file}: ${checked.error}`)
  }
  const more = { paste, carries, ...(prompt && { prompt }), ...turnLimit(options) }
  const about = { kind: 'function', name: file, details: { export: module.export } } as const
  return ok(planOf(about, () => functionTarget({ ...place, ...more, name })))
}
