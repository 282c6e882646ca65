/** Models of a configuration: the name of another one, a script, or a server by its address. */
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
import type { ModelBinding } from '../model/options.ts'
import { compatibleModel } from '../models/providers.ts'
import { parseReference, referenceFault } from '../models/resolve-model.ts'
import type { Findings } from './findings.ts'
import { isHeader, readFilePath, type Surroundings, Texts, urlFault } from './read-peers.ts'
import { namesIn, scriptShape, servedShape } from './shape.ts'

/** Where a model comes from. */
export type ModelSource =
  | { readonly reference: string }
  /** The absolute path of the script, and where in the configuration it is given. */
  | { readonly script: string; readonly path: Path }
  | { readonly baseURL: string; readonly apiKey?: string; readonly model: string }

/** Reads the model behind a reference that documents use. */
export function readModel(value: Value, path: Path, reference: string, around: Surroundings): ModelSource | undefined {
  if (!isRecord(value)) return readReference(value, path, around)
  const { findings } = around
  const byScript = Object.hasOwn(value, 'script')
  if (byScript === Object.hasOwn(value, 'base_url')) {
    const message = `a model is a name, or has either "script" or "base_url"; this one has ${byScript ? 'both' : 'neither'}`
    findings.report('config_invalid', path, message, 'key')
    findings.fields(value, path, [...namesIn(scriptShape), ...namesIn(servedShape)])
    return undefined
  }
  return byScript ? readScripted(value, path, around) : readServed(value, path, reference, around)
}

function readReference(value: Value, path: Path, around: Surroundings): ModelSource | undefined {
  const texts = new Texts(around)
  const reference = texts.read(value, path)
  if (reference === undefined) return undefined
  const fault = referenceFault(parseReference(reference))
  if (fault === undefined) return { reference }
  const message =
    texts.secrets.length === 0 ? fault : 'with its variables filled in this is not a model; write provider/model'
  around.findings.report('config_invalid', path, message)
  return undefined
}

function readScripted(record: ValueRecord, path: Path, around: Surroundings): ModelSource | undefined {
  around.findings.fields(record, path, namesIn(scriptShape))
  const at = [...path, 'script']
  const text = new Texts(around).read(record.script ?? null, at)
  const script = text === undefined ? undefined : readFilePath(text, at, around)
  return script === undefined ? undefined : { script, path: at }
}

/** Unless it says otherwise, the server knows the model by the name that documents use. */
function readServed(record: ValueRecord, path: Path, reference: string, around: Surroundings): ModelSource | undefined {
  const { findings } = around
  findings.fields(record, path, namesIn(servedShape))
  const texts = new Texts(around)
  const baseURL = texts.read(record.base_url ?? null, [...path, 'base_url'])
  const { model: named = parseReference(reference).model, api_key } = record
  const model = texts.read(named, [...path, 'model'])
  const apiKey = api_key === undefined ? '' : texts.read(api_key, [...path, 'api_key'])
  if (baseURL === undefined || model === undefined || apiKey === undefined) return undefined
  const fault = urlFault(baseURL, 'api_key')
  if (fault !== undefined) findings.report('config_invalid', [...path, 'base_url'], fault)
  if (!isHeader('authorization', `Bearer ${apiKey}`))
    findings.report('config_invalid', [...path, 'api_key'], 'this is not a key that HTTP can carry')
  return { baseURL, model, ...(apiKey === '' ? {} : { apiKey }) }
}

/** Loads models. A script continues from run to run as long as the configuration is used. */
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
  if ('script' in source) return loadScript(source, findings)
  const { model, ...settings } = source
  return compatibleModel(model, settings)
}

async function loadScript(
  { script: file, path }: Extract<ModelSource, { script: string }>,
  findings: Findings,
): Promise<ModelBinding | undefined> {
  let text: string | undefined
  try {
    text = new TextDecoder().decode(readBounded(file, defaultLimits.yamlBytes))
  } catch (thrown) {
    findings.report('config_invalid', path, `the script cannot be read: ${messageOf(thrown)}`)
  }
  const { readScript, scriptedModel } = await import('@joust/sim')
  const script = text === undefined ? undefined : readScript(text)
  if (script?.ok) return scriptedModel(script.value)
  for (const found of script?.error ?? []) {
    const { line, column } = found
    const at = line === undefined ? '' : `, line ${line}, column ${column}`
    findings.report('config_invalid', path, `the script${at}: ${messageWithHint(found)}`)
  }
  return undefined
}
