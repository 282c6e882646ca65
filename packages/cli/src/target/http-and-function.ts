/** Targets that only a project file can define: HTTP APIs and functions. */

import { defined, err, isList, isRecord, ok, type Result, suggest, type ValueRecord, writeJson } from '@joust/source'
import type { HttpTargetOptions, ModelHooks } from '@joust/targets'
import { inputFile } from '../input/discover.ts'
import type { RunOptions } from '../options/run.ts'
import { unknownWord } from '../options/unknown-word.ts'
import { duration } from '../options/values.ts'
import type { ChosenTarget } from '../project/choose.ts'
import { tellCode } from '../project/code.ts'
import type { Io } from '../terminal/io.ts'
import { turnLimit } from './command.ts'
import { planGateway } from './gateway.ts'
import { openModelOption, planModelAccess } from './model-access.ts'
import { planServed, servedDetails } from './serve.ts'
import { shownPlace } from './shown-command.ts'
import { type Planned, servedPlan } from './target-plan.ts'

export async function planHttp(options: RunOptions, target: ChosenTarget, io: Io): Planned {
  const { http, serve, name = 'http' } = target
  const read = await readHttp(isRecord(http) ? http : {})
  if (!read.ok) return read
  const settings = read.value
  // A dry run does not expand variables, and the address may begin with one.
  const isOpen = options.dryRun && settings.url.startsWith('${')
  if (!isOpen && !/^https?:\/\//.test(settings.url)) return err('http.url: expected http://… or https://…')
  const fault = headerFault(settings.headers ?? {}) ?? placeholderFault(settings)
  if (fault !== undefined) return err(fault)
  const { httpTarget } = await import('@joust/targets')
  const { prompt, paste, replyTimeout, maxDuration } = options
  const timeoutMs = replyTimeout || maxDuration
  const gatewayPlan = await planGateway(options, serve !== undefined)
  const more = { paste, ...gatewayPlan, ...(prompt && { prompt }), ...(timeoutMs && { timeoutMs }) }
  const about = { kind: 'http', name: shownPlace(settings.url), ...servedDetails(target) } as const
  const { url, headers = {}, body = null } = settings
  const texts = [url, headers, body]
  const access = await planModelAccess(options, { texts, isRunning: true, ...defined({ serve }) }, io)
  if (!access.ok) return access
  const { served } = access.value
  const { gateway } = gatewayPlan
  const service = await planServed(options, target, isOpen ? [] : [settings.url], { gateway, model: served }, io)
  if (!service.ok) return service
  const make = (hooks?: ModelHooks) =>
    httpTarget({ ...settings, ...more, name, ...openModelOption(access.value, hooks) })
  const replacesModel = access.value.replace !== undefined
  return ok(servedPlan(about, make, { service: service.value, gateway, served, replacesModel }))
}

/** Reads the request settings, whose shape has already been checked. */
async function readHttp({ poll, ...http }: ValueRecord): Promise<Result<Omit<HttpTargetOptions, 'name'>, string>> {
  const settings = http as unknown as Omit<HttpTargetOptions, 'name'>
  if (!isRecord(poll)) return ok(settings)
  const { url, until = [], every = '1s' } = poll
  const everyMs = await duration.read([String(every)], 'http.poll.every')
  if (!everyMs.ok) return everyMs
  const conditions = (isList(until) ? until : [until]).map(String)
  return ok({ ...settings, poll: { url: String(url), until: conditions, everyMs: everyMs.value } })
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

const placeholders = ['{prompt}', '{messages}', '{conversation}', '{input}', '{mcp_servers}', '{model_url}']

const inMessage = ['{role}', '{content}']

type HttpTexts = Pick<HttpTargetOptions, 'url' | 'body' | 'message' | 'poll'>

/** Returns an error for a misspelled placeholder. Other braces are allowed in a request. */
function placeholderFault({ url, body, message, poll }: HttpTexts): string | undefined {
  const request = `${url} ${writeJson(body ?? {})}`
  const slip = namesIn(request).find((name) => suggest(name, placeholders) !== undefined)
  if (slip !== undefined) return unknownWord(`http: unknown placeholder ${slip}`, slip, placeholders)
  if (message !== undefined) {
    if (!request.includes('{messages}')) return 'http.message has no effect without {messages} in http.url or http.body'
    const odd = namesIn(writeJson(message)).find((name) => suggest(name, inMessage) !== undefined)
    if (odd !== undefined) return unknownWord(`http.message: unknown placeholder ${odd}`, odd, inMessage)
  }
  const other = namesIn(poll?.url ?? '').find((name) => !name.startsWith('{response.'))
  if (other === undefined) return undefined
  return `http.poll.url: unknown placeholder ${other}; to use a value from the first response, write {response.${other.slice(1)}`
}

/** Returns names in braces that are neither placeholders nor variables such as `${NAME}`. */
function namesIn(text: string): readonly string[] {
  const known = new Set([...placeholders, ...inMessage])
  return [...text.matchAll(/(?<!\$)\{[\w.-]+\}/g)].map(([name]) => name).filter((name) => !known.has(name))
}

/** Plans a `module` target. A dry run does not load the module. */
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
    const isKeyless = options.withModel !== undefined || options.replay !== undefined
    const checked = await checkFunction({ ...place, isKeyless })
    if (!checked.ok) return err(`${file}: ${checked.error}`)
  }
  const more = { paste, carries, ...(prompt && { prompt }), ...turnLimit(options) }
  const about = { kind: 'function', name: file, details: { export: module.export } } as const
  const access = await planModelAccess(options, env === undefined ? {} : { env }, io)
  if (!access.ok) return access
  const { gateway } = await planGateway(options)
  const make = (hooks?: ModelHooks) =>
    functionTarget({ ...place, ...more, name, ...defined({ gateway }), ...openModelOption(access.value, hooks) })
  const replacesModel = access.value.replace !== undefined
  return ok(servedPlan(about, make, { gateway, service: undefined, served: undefined, replacesModel }))
}
