/** `joust.config.yaml`: the wiring of a host in one file. */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { err, ok, type Result, readSource, toDoubles } from '@joust/source'
import { messageOf } from '../model/errors.ts'
import type { RuntimeOptions } from '../model/options.ts'
import { type ConfigDiagnostic, Findings } from './findings.ts'
import { loadModels } from './load-models.ts'
import { loadTools } from './load-tools.ts'
import { readConfig } from './read-config.ts'
import type { Environment } from './variables.ts'

/** The name that the file usually has. */
export const CONFIG_FILE = 'joust.config.yaml'

/** Reads a configuration, or says everything that is wrong with it. Paths are relative to the file. */
export async function loadConfig(
  path: string,
  environment: Environment = process.env,
): Promise<Result<Partial<RuntimeOptions>, ConfigDiagnostic[]>> {
  const text = await readText(path)
  if (!text.ok) return err([{ severity: 'error', code: 'config_unreadable', message: text.error, file: path }])
  const source = readSource(text.value)
  if (!source.ok) return err(source.error.map((found) => ({ ...found, code: 'config_syntax', file: path })))

  const findings = new Findings(source.value, path)
  const home = dirname(path)
  const read = readConfig(toDoubles(source.value.value), {
    findings,
    environment,
    resolve: (relative) => resolve(home, relative),
  })
  const { mcpServers, remoteAgents } = read
  const models = await loadModels(read.models, findings)
  const tools = await loadTools(read.tools, findings)
  return findings.all.length > 0 ? err(findings.all) : ok({ models, tools, mcpServers, remoteAgents })
}

async function readText(path: string): Promise<Result<string, string>> {
  try {
    return ok(await readFile(path, 'utf8'))
  } catch (thrown) {
    return err(`the configuration cannot be read: ${messageOf(thrown)}`)
  }
}
