/** Models in `bindings`: a model reference, a script, or a URL. */
import { readBounded } from '@joust/io'
import {
  defaultLimits,
  isRecord,
  messageOf,
  messageWithHint,
  type Path,
  setOwn,
  type Value,
  type ValueRecord,
} from '@joust/source'
import type { ModelBinding, ServedModel } from '../model/options.ts'
import { parseReference, referenceProblem } from '../models/resolve-model.ts'
import type { Findings } from './findings.ts'
import { isHeader, type ReadContext, readFilePath, Texts, urlProblem } from './read-peers.ts'
import { namesIn, scriptShape, servedShape } from './shape.ts'

export type ModelSource =
  | { readonly reference: string }
  /** The absolute path of the script, and its position in the configuration. */
  | { readonly script: string; readonly path: Path }
  | ServedModel

export function readModel(value: Value, path: Path, reference: string, context: ReadContext): ModelSource | undefined {
  if (!isRecord(value)) return readReference(value, path, context)
  const { findings } = context
  const byScript = Object.hasOwn(value, 'script')
  if (byScript === Object.hasOwn(value, 'base_url')) {
    const message = `expected a model name or one of "script" and "base_url", got ${byScript ? 'both' : 'neither'}`
    findings.report('config_invalid', path, message, 'key')
    findings.fields(value, path, [...namesIn(scriptShape), ...namesIn(servedShape)])
    return undefined
  }
  return byScript ? readScripted(value, path, context) : readServed(value, path, reference, context)
}

function readReference(value: Value, path: Path, context: ReadContext): ModelSource | undefined {
  const texts = new Texts(context)
  const reference = texts.read(value, path)
  if (reference === undefined) return undefined
  const problem = referenceProblem(parseReference(reference))
  if (problem === undefined) return { reference }
  const message =
    texts.secrets.length === 0 ? problem : 'invalid model after variable substitution, expected provider/model'
  context.findings.report('config_invalid', path, message)
  return undefined
}

function readScripted(record: ValueRecord, path: Path, context: ReadContext): ModelSource | undefined {
  context.findings.fields(record, path, namesIn(scriptShape))
  const at = [...path, 'script']
  const text = new Texts(context).read(record.script ?? null, at)
  const script = text === undefined ? undefined : readFilePath(text, at, context)
  return script === undefined ? undefined : { script, path: at }
}

/** Reads a model at a URL. If `model` is not set, the model name in the reference is used. */
function readServed(record: ValueRecord, path: Path, reference: string, context: ReadContext): ModelSource | undefined {
  const { findings } = context
  findings.fields(record, path, namesIn(servedShape))
  const texts = new Texts(context)
  const baseURL = texts.read(record.base_url ?? null, [...path, 'base_url'])
  const { model: named = parseReference(reference).model, api_key } = record
  const model = texts.read(named, [...path, 'model'])
  const apiKey = api_key === undefined ? '' : texts.read(api_key, [...path, 'api_key'])
  if (baseURL === undefined || model === undefined || apiKey === undefined) return undefined
  const problem = urlProblem(baseURL, 'api_key')
  if (problem !== undefined) findings.report('config_invalid', [...path, 'base_url'], problem)
  if (!isHeader('authorization', `Bearer ${apiKey}`))
    findings.report('config_invalid', [...path, 'api_key'], 'invalid API key: not allowed in an HTTP header')
  return { baseURL, model, ...(apiKey !== '' && { apiKey }) }
}

/** Loads models. Runs that share a configuration continue the same script. */
export async function loadModels(
  sources: Readonly<Record<string, ModelSource>>,
  findings: Findings,
): Promise<Readonly<Record<string, ModelBinding>>> {
  const models = {}
  for (const [reference, source] of Object.entries(sources)) {
    const model = await loadModel(source, findings)
    if (model !== undefined) setOwn(models, reference, model)
  }
  return models
}

async function loadModel(source: ModelSource, findings: Findings): Promise<ModelBinding | undefined> {
  if ('reference' in source) return source.reference
  return 'script' in source ? loadScript(source, findings) : source
}

async function loadScript(
  { script: file, path }: Extract<ModelSource, { script: string }>,
  findings: Findings,
): Promise<ModelBinding | undefined> {
  let text: string | undefined
  try {
    text = new TextDecoder().decode(readBounded(file, defaultLimits.yamlBytes))
  } catch (thrown) {
    findings.report('config_invalid', path, `cannot read the script: ${messageOf(thrown)}`)
  }
  const { readScript, scriptedModel } = await import('@joust/sim')
  const script = text === undefined ? undefined : readScript(text)
  if (script?.ok) return scriptedModel(script.value)
  for (const diagnostic of script?.error ?? []) {
    const { line, column } = diagnostic
    const at = line === undefined ? '' : `, line ${line}, column ${column}`
    findings.report('config_invalid', path, `script${at}: ${messageWithHint(diagnostic)}`)
  }
  return undefined
}
