/** Models that a configuration names: scripts are read, servers made ready to be asked. */
import { readBounded } from '@joust/io'
import { defaultLimits, messageWithHint, setOwn } from '@joust/source'
import { messageOf } from '../model/errors.ts'
import type { ModelBinding } from '../model/options.ts'
import { compatibleModel } from '../models/providers.ts'
import type { Findings } from './findings.ts'
import type { ModelSource } from './read-models.ts'

/** Loads models. A script goes on from run to run as long as the configuration is used. */
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
