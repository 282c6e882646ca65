/** Targets that only a project file can name: an address with a request of its own, and a function. */
import { pathToFileURL } from 'node:url'
import type { AgentFunction, HttpTargetOptions } from '@joust/arena'
import { didYouMean, err, isRecord, ok, type Result } from '@joust/source'
import { inputFile } from '../input/discover.ts'
import type { RunOptions } from '../options/run.ts'
import type { RunTarget } from '../project/choose.ts'
import { tellCode } from '../project/code.ts'
import type { Io } from '../terminal/io.ts'
import { planGateway } from './gateway.ts'
import { shownPlace } from './hidden-values.ts'
import type { Planned } from './target-plan.ts'

/** The agent behind `http`. */
export async function planHttp(options: RunOptions, { http, name = 'http' }: RunTarget): Planned {
  // The shape of the file has been checked; `name` and the rest are ours.
  const settings = (isRecord(http) ? http : {}) as unknown as Omit<HttpTargetOptions, 'name'>
  // A dry run has no variables, and the address may begin with one.
  const isOpen = options.dryRun && settings.url.startsWith('${')
  if (!isOpen && !/^https?:\/\//.test(settings.url)) return err('http.url: write http://… or https://…')
  const fault = headerFault(settings.headers ?? {})
  if (fault !== undefined) return err(fault)
  const { httpTarget } = await import('@joust/arena')
  const { prompt, paste, maxDuration } = options
  const found = await planGateway(options)
  const more = { paste, ...found, ...(prompt && { prompt }), ...(maxDuration && { timeoutMs: maxDuration }) }
  const make = () => httpTarget({ ...settings, ...more, name })
  return ok({
    about: { kind: 'http', name: shownPlace(settings.url) },
    ...(found.gateway && { gateway: found.gateway }),
    lacks: (needs) => make().lacks?.(needs) ?? [],
    make: () => ({ target: make() }),
  })
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

/** The function of `module`. A dry run does not load it. */
export async function planFunction(
  { prompt, paste, maxDuration, dryRun }: RunOptions,
  { module, project, name = 'function' }: RunTarget,
  io: Io,
): Planned {
  if (module === undefined || project === undefined) return err('a function is named in a project file')
  const file = inputFile(module.path, io.cwd, true).name
  const about = { kind: 'function', name: file, details: { export: module.export } } as const
  if (dryRun) return ok({ about, make: () => ({}) })
  tellCode(module.path, project, io)
  const call = await loadFunction(module.path, module.export)
  if (!call.ok) return err(`${file}: ${call.error}`)
  const { functionTarget } = await import('@joust/arena')
  const more = { paste, ...(prompt && { prompt }), ...(maxDuration && { timeoutMs: maxDuration }) }
  return ok({ about, make: () => ({ target: functionTarget({ call: call.value, name, ...more }) }) })
}

async function loadFunction(path: string, name: string): Promise<Result<AgentFunction, string>> {
  try {
    const exported: Record<string, unknown> = await import(pathToFileURL(path).href)
    const found = Object.hasOwn(exported, name) ? exported[name] : undefined
    // Whether it takes and gives what it should shows when it is called.
    if (typeof found === 'function') return ok(found as AgentFunction)
    const names = Object.keys(exported).filter((key) => typeof exported[key] === 'function')
    return err(`it exports no function ${JSON.stringify(name)}; "export" names another one.${didYouMean(name, names)}`)
  } catch (thrown) {
    return err(`the code cannot be loaded: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
}
