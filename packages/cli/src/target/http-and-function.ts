/** Targets that only a project file can define: HTTP APIs and functions. */

import { defined, err, isRecord, ok, suggest, writeJson } from '@joust/source'
import type { HttpTargetOptions } from '@joust/targets'
import { inputFile } from '../input/discover.ts'
import type { RunOptions } from '../options/run.ts'
import { unknownWord } from '../options/unknown-word.ts'
import type { ChosenTarget } from '../project/choose.ts'
import { tellCode } from '../project/code.ts'
import type { Io } from '../terminal/io.ts'
import { turnLimit } from './command.ts'
import { planGateway } from './gateway.ts'
import { openModelOption, planModelAccess } from './model-access.ts'
import { shownPlace } from './shown-command.ts'
import { type Planned, planOf } from './target-plan.ts'

/** Plans an `http` target. */
export async function planHttp(options: RunOptions, { http, name = 'http' }: ChosenTarget, io: Io): Planned {
  // The shape of the file has been checked.
  const settings = (isRecord(http) ? http : {}) as unknown as Omit<HttpTargetOptions, 'name'>
  // A dry run does not expand variables, and the address may begin with one.
  const isOpen = options.dryRun && settings.url.startsWith('${')
  if (!isOpen && !/^https?:\/\//.test(settings.url)) return err('http.url: write http://… or https://…')
  const fault = headerFault(settings.headers ?? {}) ?? placeholderFault(settings)
  if (fault !== undefined) return err(fault)
  const { httpTarget } = await import('@joust/targets')
  const { prompt, paste, replyTimeout, maxDuration } = options
  const timeoutMs = replyTimeout || maxDuration
  const gatewayPlan = await planGateway(options)
  const more = { paste, ...gatewayPlan, ...(prompt && { prompt }), ...(timeoutMs && { timeoutMs }) }
  const about = { kind: 'http', name: shownPlace(settings.url) } as const
  const { url, headers = {}, body = null } = settings
  const access = await planModelAccess(options, { texts: [url, headers, body], isRunning: true }, io)
  if (!access.ok) return access
  const { served } = access.value
  const plan = planOf(about, (hooks) =>
    httpTarget({ ...settings, ...more, name, ...openModelOption(access.value, hooks) }),
  )
  return ok({ ...plan, ...defined({ gateway: gatewayPlan.gateway, served }) })
}

function headerFault(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]])
    } catch {
      return `http.headers.${name}: invalid HTTP header`
    }
  }
  return undefined
}

const placeholders = ['{prompt}', '{conversation}', '{input}', '{mcp_servers}', '{model_url}']

/** A request may contain other braces; a name close to a placeholder is a typo. */
function placeholderFault({ url, body }: Pick<HttpTargetOptions, 'url' | 'body'>): string | undefined {
  const names = [...`${url} ${writeJson(body ?? {})}`.matchAll(/\{[\w.-]+\}/g)].map(([name]) => name)
  const slip = names.find((name) => suggest(name, placeholders) !== undefined)
  return slip && unknownWord(`http: unknown placeholder ${slip}`, slip, placeholders)
}

/** Plans a `module` target. A dry run does not load it. */
export async function planFunction(
  options: RunOptions,
  { module, project, home, env, name = 'function' }: ChosenTarget,
  io: Io,
): Planned {
  const { prompt, paste, carries, dryRun } = options
  if (module === undefined || project === undefined) return err('only a project file can define a function as a target')
  const file = inputFile(module.path, io.cwd, true).name
  const { checkFunction, functionTarget } = await import('@joust/targets')
  const place = { module: module.path, export: module.export, cwd: home, environment: io.env }
  if (!dryRun) {
    tellCode(module.path, project, io)
    const checked = await checkFunction(place)
    if (!checked.ok) return err(`${file}: ${checked.error}`)
  }
  const more = { paste, carries, ...(prompt && { prompt }), ...turnLimit(options) }
  const about = { kind: 'function', name: file, details: { export: module.export } } as const
  const access = await planModelAccess(options, env === undefined ? {} : { env }, io)
  if (!access.ok) return access
  return ok(
    planOf(about, (hooks) => functionTarget({ ...place, ...more, name, ...openModelOption(access.value, hooks) })),
  )
}
