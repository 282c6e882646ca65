/** Calls each model before a run, so that a wrong key is one error and a server that drops tools does not seem safe. */
import type { RunRecording } from '@joust/models'
import type { LanguageModel, ModelResolver, RuntimeOptions } from '@joust/runtime'
import { err, messageOf, ok, type Result } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import { type Io, tell } from '../terminal/io.ts'
import { transportOf } from './recordings.ts'

/** A model to call. `tool` is true if the model must be able to call tools. */
export interface ModelUse {
  readonly reference: string
  readonly tool: boolean
}

/** Reports errors in model references. A model that the host bound as an object is not checked. */
export async function modelFaults(
  uses: readonly ModelUse[],
  models: RuntimeOptions['models'],
  io: Io,
): Promise<string[]> {
  const references = new Map<string, boolean>()
  for (const { reference, tool } of uses) {
    const bound = await boundTo(reference, models)
    if (typeof bound === 'string') references.set(bound, tool || references.get(bound) === true)
  }
  const faults = await Promise.all([...references].map(([reference, tool]) => modelFault({ reference, tool }, io)))
  return faults.filter((fault) => fault !== undefined)
}

/** True if models are called before a run; false in a dry run or a replay, and with `--no-preflight`. */
export function isAsked({ dryRun, replay, noPreflight }: RunOptions): boolean {
  return !dryRun && replay === undefined && !noPreflight
}

/** True if every model is a simulation, which needs no check. */
export async function areSimulated(uses: readonly ModelUse[], models: RuntimeOptions['models']): Promise<boolean> {
  const bound = await Promise.all(uses.map(({ reference }) => boundTo(reference, models)))
  return bound.every((one) => typeof one !== 'string' || one.startsWith('sim/'))
}

async function modelFault({ reference, tool }: ModelUse, io: Io): Promise<string | undefined> {
  const { probeModel, resolveModel } = await import('@joust/runtime')
  const resolved = await resolveModel(reference, io.env)
  if (!resolved.ok) return `${reference}: ${resolved.error.message}`
  if (reference.startsWith('sim/')) return undefined
  const probed = await probeModel(resolved.value, { tool })
  if (probed.ok) return undefined
  const { code, message } = probed.error
  return code === 'no_answer'
    ? `${reference} cannot be called: ${message}; check the name, key and URL of the model`
    : `${reference} calls no tools: ${message}; check that the model and its server support tools`
}

async function boundTo(reference: string, models: RuntimeOptions['models']) {
  if (models === undefined) return reference
  // The resolvers of this command ignore the agent.
  const agent = undefined as unknown as Parameters<ModelResolver>[1]
  if (typeof models === 'function') return (await models(reference, agent)) ?? reference
  const model = reference.slice(reference.indexOf('/') + 1)
  const key = [reference, model].find((name) => Object.hasOwn(models, name))
  return key === undefined ? reference : models[key]
}

/** A judge or attacker model. `close` also closes the recording of its calls. */
export interface FoundModel {
  readonly bound: LanguageModel
  close(): void
}

/** Finds the model for an option and, if `isAsked`, calls the model once. */
export async function openModel(
  option: string,
  model: string,
  open: (() => RunRecording) | undefined,
  isAsked: boolean,
  io: Io,
): Promise<Result<FoundModel, string>> {
  const opened = await findModel(model, open, io)
  if (!opened.ok) return err(`${option} ${model}: ${opened.error}`)
  const fault = isAsked ? await modelFault({ reference: model, tool: false }, io) : undefined
  if (fault === undefined) return opened
  opened.value.close()
  return err(`${option} ${fault}`)
}

/** Finds a model by its reference. With a recording, calls to the model are recorded or replayed. */
export async function findModel(
  model: string,
  open: (() => RunRecording) | undefined,
  io: Io,
): Promise<Result<FoundModel, string>> {
  const { resolveModel } = await import('@joust/runtime')
  try {
    const recording = open?.()
    const resolved = await resolveModel(model, io.env, recording && transportOf(recording))
    const close = () => {
      recording?.close()
      for (const problem of recording?.problems() ?? []) tell(io, `${model}: ${problem}`)
    }
    return resolved.ok ? ok({ bound: resolved.value, close }) : err(resolved.error.message)
  } catch (thrown) {
    // The folder cannot be written, or has no recording of this model.
    return err(messageOf(thrown))
  }
}
