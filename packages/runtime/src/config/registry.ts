/** Governance registries in `bindings`: policies in a folder or on an HTTP server. Unexpected responses are errors. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Metadata } from '@joust/agentformat'
import { readBounded } from '@joust/io'
import {
  compileRegex,
  deepEqual,
  isList,
  isRecord,
  messageOf,
  own,
  readExactDoubles,
  readSource,
  toDoubles,
  type Value,
  type ValueRecord,
} from '@joust/source'
import { createBoundedFetch } from '../connectors/bounded-fetch.ts'
import type { UrlBinding } from '../model/bindings.ts'
import { type GovernancePolicy, type GovernanceProvider, type Guardrail, guardrailStages } from '../model/governance.ts'
import { textOf } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'

/** A folder of policies: `REF.yaml`, `REF.yml` or `REF.json`. */
export interface FolderRegistry {
  /** An absolute path. */
  readonly folder: string
}

/** A registry at a URL: `GET URL/REF` returns a policy; `GET URL` returns policies that apply without a reference. */
export interface HttpRegistry extends UrlBinding {
  /** True to also request policies that apply without a reference. */
  readonly implicit: boolean
}

const FILE = /^(.+)\.(?:yaml|yml|json)$/
const REFERENCE = /^[a-z0-9][a-z0-9_.-]*$/

/** Returns the policy files by reference. A file name that is not a valid reference is an error. */
function policyFiles({ folder }: FolderRegistry): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const file of readdirSync(folder).toSorted()) {
    const [, ref] = FILE.exec(file) ?? []
    if (ref === undefined || file.startsWith('.')) continue
    const other = files.get(ref)
    if (other !== undefined) throw new Error(`${other} and ${file} have the same reference`)
    if (!REFERENCE.test(ref))
      throw new Error(`${file}: a reference may contain lower-case letters, digits, "-", "_" and "."`)
    files.set(ref, file)
  }
  if (files.size > runtimeLimits.policyFiles) throw new Error(`more than ${runtimeLimits.policyFiles} policies`)
  return files
}

/**
 * Creates a registry that reads a folder on each query. Agents need not reference a policy with `applies_to`.
 *
 * @example
 * const runtime = createRuntime({ governance: folderRegistry({ folder: '/etc/policies' }) })
 */
export function folderRegistry(registry: FolderRegistry): GovernanceProvider {
  const read = (file: string) => readPolicyFile(registry.folder, file)
  return {
    references: () => [...policyFiles(registry).keys()],
    resolve(ref) {
      const file = policyFiles(registry).get(ref)
      return file === undefined ? undefined : toPolicy(read(file), ref)
    },
    implicit(metadata) {
      const all = [...policyFiles(registry)].map(([ref, file]) => ({ ref, value: read(file) }))
      const applied = all.filter(({ ref, value }) => appliesTo(own(value, 'applies_to'), metadata, ref))
      return applied.map(({ ref, value }) => toPolicy(value, ref))
    },
  }
}

function readPolicyFile(folder: string, file: string): Value {
  const source = readSource(new TextDecoder().decode(readBounded(join(folder, file), runtimeLimits.policyBytes)))
  if (source.ok) return toDoubles(source.value.value)
  const [{ message, line = 1 } = { message: 'unreadable' }] = source.error
  throw new Error(`${file}:${line}: ${message}`)
}

/**
 * Creates a registry that queries an HTTP server. Any response other than a policy or status 404 is an error.
 *
 * @example
 * const governance = httpRegistry({ url: 'https://policies.example/', implicit: false })
 */
export function httpRegistry({ implicit, ...binding }: HttpRegistry): GovernanceProvider {
  const reach = createBoundedFetch(binding, runtimeLimits.policyBytes)
  const base = binding.url.replace(/\/+$/, '')
  const get = async (url: string) => {
    const signal = AbortSignal.timeout(binding.timeoutMs ?? runtimeLimits.connectMs)
    const response = await reach(url, { headers: { accept: 'application/json' }, signal }).catch((thrown: unknown) => {
      throw new Error(`the registry at ${new URL(base).host} did not respond: ${messageOf(thrown)}`, { cause: thrown })
    })
    if (response.status === 404) return undefined
    if (response.status !== 200) throw new Error(`the registry responded with status ${response.status}`)
    const value = readExactDoubles(await response.text())
    if (!value.ok) throw new Error(`the registry sent invalid JSON: ${value.error[0]?.message ?? 'unreadable'}`)
    return value.value
  }
  return {
    async resolve(ref) {
      const value = await get(`${base}/${encodeURIComponent(ref)}`)
      return value === undefined ? undefined : toPolicy(value, ref)
    },
    ...(implicit && {
      async implicit(metadata: Metadata) {
        const { id, namespace, data_classification, labels = {} } = metadata
        const query = new URLSearchParams({ id, ...(namespace && { namespace }) })
        if (data_classification !== undefined) query.set('data_classification', data_classification)
        for (const [name, value] of Object.entries(labels)) query.append('label', `${name}=${value}`)
        const list = await get(`${base}?${query}`)
        if (!isList(list)) throw new Error('the registry did not return a list of policies')
        return list.map((value) => toPolicy(value, ''))
      },
    }),
  }
}

/**
 * Converts plain data to a policy; `ref` is the default id. The runtime checks the other fields and rejects unknown
 * ones.
 */
function toPolicy(value: Value, ref: string): GovernancePolicy {
  if (!isRecord(value)) throw new Error('a policy must be a mapping')
  const { applies_to: _, guardrails, ...rest } = value
  const policy = { id: ref, ...rest, ...(guardrails !== undefined && { guardrails: toGuardrails(guardrails) }) }
  if (policy.id === '') throw new Error('missing policy id')
  // The runtime checks the shape before it applies the policy.
  return policy as unknown as GovernancePolicy
}

function toGuardrails(value: Value): Guardrail[] {
  if (!isList(value)) throw new Error('guardrails must be a list')
  return value.map((entry, index) => {
    if (!isRecord(entry)) throw new Error(`guardrails[${index}] must be a mapping`)
    return toGuardrail(entry, `guardrails[${index}]`)
  })
}

/** Converts a guardrail: a name, a pattern of denied values, and the stages to check. */
function toGuardrail({ name, deny, stages = [...guardrailStages], ...others }: ValueRecord, at: string): Guardrail {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new Error(`${at}: unknown field ${JSON.stringify(unknown)}`)
  if (typeof name !== 'string' || typeof deny !== 'string') throw new Error(`${at} needs a name, and a pattern in deny`)
  const checked = guardrailStages.filter((stage) => isList(stages) && stages.includes(stage))
  if (!isList(stages) || stages.length === 0 || stages.length !== checked.length)
    throw new Error(`${at}.stages must be a list of ${guardrailStages.join(', ')}`)
  const regex = compileRegex(deny)
  if (!regex.ok) throw new Error(`${at}.deny: ${regex.error.message}`)
  return {
    name,
    stages: checked,
    check({ value }) {
      const match = regex.value.test(textOf(value))
      if (!match.ok) throw new Error(match.error.message)
      return match.value ? { allowed: false, reason: 'a denied pattern occurs' } : { allowed: true }
    },
  }
}

const MATCHED = ['namespace', 'data_classification', 'labels']

/** True if a policy applies to an agent. All selectors must match its metadata. */
function appliesTo(selector: Value | undefined, metadata: Metadata, ref: string): boolean {
  if (selector === undefined) return false
  if (!isRecord(selector)) throw new Error(`${ref}: applies_to must be a mapping`)
  const unknown = Object.keys(selector).find((key) => !MATCHED.includes(key))
  if (unknown !== undefined) throw new Error(`${ref}: unknown field ${JSON.stringify(unknown)} in applies_to`)
  const { labels = {}, ...plain } = selector
  if (!isRecord(labels)) throw new Error(`${ref}: applies_to.labels must be a mapping`)
  // Metadata was parsed from a document.
  const fields = metadata as unknown as ValueRecord
  const all = Object.entries(plain).every(([key, value]) => matches(value, own(fields, key)))
  return all && Object.entries(labels).every(([key, value]) => matches(value, own(own(fields, 'labels'), key)))
}

function matches(wanted: Value, value: Value | undefined): boolean {
  return value !== undefined && (isList(wanted) ? wanted : [wanted]).some((one) => deepEqual(one, value))
}
