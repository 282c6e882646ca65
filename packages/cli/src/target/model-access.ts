/** The model proxy of a target: `--with-model`, `--model-env`, `--model-upstream` and `--no-model-proxy`. */
import { simulated } from '@joust/models'
import { err, ok, type Result } from '@joust/source'
import type { OpenModelAccess, Preset } from '@joust/targets'
import type { RunOptions } from '../options/run.ts'
import type { ChosenTarget } from '../project/choose.ts'
import { type Io, tell } from '../terminal/io.ts'

/** The model access of a command or function; undefined if the agent calls its model without the proxy. */
export async function planModelAccess(
  options: RunOptions,
  { env: own = {} }: Pick<ChosenTarget, 'env'>,
  io: Io,
  { preset, words = [] }: { readonly preset?: Preset; readonly words?: readonly string[] } = {},
): Promise<Result<OpenModelAccess | undefined, string>> {
  const { withModel, noModelProxy, modelUpstream } = options
  const { createModelAccess, modelRoutes, modelVariables } = await import('@joust/targets')
  const known = withModel === undefined ? [] : modelVariables.map(({ name }) => name)
  const names = options.modelEnv.length > 0 ? options.modelEnv : (preset?.model_proxy?.env ?? known)
  const isNamed = [...words, ...Object.values(own)].some((word) => word.includes('{model_url}'))
  if (names.length === 0 && !isNamed && modelUpstream === undefined) {
    const counted = Object.entries({ '--budget-tokens': options.budgetTokens, '--budget-calls': options.budgetCalls })
    const [option] = counted.find(([, value]) => value !== undefined && options.judge === undefined) ?? []
    return option === undefined ? ok(undefined) : err(`${option} ${UNSEEN}`)
  }
  const setValue = (name: string) => own[name] ?? io.env[name]
  const upstream = modelUpstream ?? preset?.model_proxy?.upstream
  const setting = { env: names, ...(upstream !== undefined && { upstream }) }
  const routes = modelRoutes(setting, setValue, withModel === undefined)
  if (!routes.ok) return routes
  const isLoggedIn = options.useHome && preset?.logins !== undefined
  if (isLoggedIn && withModel === undefined && !routes.value.some(({ keys }) => keys.some((key) => setValue(key)))) {
    if (!options.quiet) tell(io, `${preset.name} ${LOGGED_IN}`)
    return ok(undefined)
  }
  if (withModel === undefined || options.dryRun)
    return ok(createModelAccess({ routes: routes.value, direct: noModelProxy }))
  const answer = await answerOf(withModel, options, io)
  return answer.ok ? ok(createModelAccess({ routes: routes.value, answer: answer.value })) : answer
}

const UNSEEN = 'needs a target whose model calls are counted: use {model_url}, --model-env or --with-model'
const LOGGED_IN = 'logs in without a key: its model is called directly and not observed'

async function answerOf(reference: string, { ownTools, quiet }: RunOptions, io: Io) {
  const [{ resolveModel }, { isListedTool }] = await Promise.all([import('@joust/runtime'), import('@joust/targets')])
  const resolved = await resolveModel(reference, io.env)
  if (!resolved.ok) return err(`--with-model ${reference}: ${resolved.error.message}`)
  if (ownTools && !quiet)
    tell(io, 'warning: with --own-tools, any text that the model reads can trigger every tool of the agent')
  type Answer = NonNullable<Parameters<typeof import('@joust/targets').createModelAccess>[0]['answer']>
  const answer: Answer = (listed) =>
    simulated(resolved.value, { ownTools, allowTool: (tool, offered) => isListedTool(tool, offered, listed()) })
  return ok(answer)
}
