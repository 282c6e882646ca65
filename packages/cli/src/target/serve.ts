/** The agent of a target with `serve`. The settings are checked before anything is started. */
import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { ResultTarget } from '@joust/results'
import { defined, err, ok, type Result } from '@joust/source'
import type { Gateway, ServedAgent, ServedModel } from '@joust/targets'
import type { RunOptions } from '../options/run.ts'
import type { ChosenTarget } from '../project/choose.ts'
import { isOnPath } from '../terminal/find-program.ts'
import type { Io } from '../terminal/io.ts'
import { withoutSecretValues } from './shown-command.ts'

/** Plans the agent that a target starts; undefined without `serve`. */
export async function planServed(
  options: RunOptions,
  { serve, kind }: Pick<ChosenTarget, 'serve' | 'kind'>,
  addresses: readonly string[],
  { gateway, model }: { readonly gateway: Gateway | undefined; readonly model: ServedModel | undefined },
  io: Io,
): Promise<Result<ServedAgent | undefined, string>> {
  if (serve === undefined) {
    if (options.mcpStdio && kind !== 'command') return err(`--mcp-stdio ${NO_PROCESS}`)
    return options.modelEnv.length > 0 ? err(`--model-env ${NO_PROCESS}`) : ok(undefined)
  }
  for (const { command, cwd } of serve.processes) {
    const fault = options.dryRun ? undefined : await commandFault(command, cwd, io)
    if (fault !== undefined) return err(`serve: ${fault}`)
  }
  const { createServedAgent, placeholdersIn } = await import('@joust/targets')
  const texts = serve.processes.flatMap(({ command, env = {} }) => [...command, ...Object.values(env)])
  if (model === undefined && placeholdersIn(texts).includes('model_url'))
    return err('serve: {model_url} needs the model proxy; remove --no-model-proxy')
  if (gateway === undefined) return err('serve needs a gateway')
  return ok(
    createServedAgent({
      ...serve,
      ...{ addresses, gateway, stdio: options.mcpStdio, environment: io.env },
      ...defined({ model }),
    }),
  )
}

const NO_PROCESS = 'needs serve, because Joust does not start this agent'

async function commandFault([program = '']: readonly string[], cwd: string, io: Io): Promise<string | undefined> {
  if (!existsSync(cwd)) return `the folder ${cwd} does not exist`
  if (/[\\/]/.test(program)) {
    const path = isAbsolute(program) ? program : resolve(cwd, program)
    return existsSync(path) || /[{}]/.test(program) ? undefined : `${withoutSecretValues(program)} does not exist`
  }
  if (io.env.PATH === undefined || process.platform === 'win32' || (await isOnPath(program, io))) return undefined
  return `${withoutSecretValues(program)}: program not found on PATH`
}

/** Describes the processes of an agent and their restarts, for the target details in results. */
export function servedDetails({ serve }: Pick<ChosenTarget, 'serve'>): Pick<ResultTarget, 'details'> {
  if (serve === undefined) return {}
  const commands = serve.processes.map(({ command }) => withoutSecretValues(command.join(' ')))
  return { details: { serve: commands.join('; '), ...(serve.restart && { restart: serve.restart }) } }
}
