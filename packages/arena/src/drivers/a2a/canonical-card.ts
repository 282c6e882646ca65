/**
 * The signed form of an agent card (A2A 1.0, 8.4.1): the fields of its schema except `signatures`, omitting default
 * values unless a field is required or explicitly optional, as canonical JSON (RFC 8785).
 */
import { isList, isRecord, type Value, type ValueRecord, writeJson } from '@joust/source'

/** `kept`: a field that is set is signed. `filled`: it is signed only if its value is not the default of its type. */
type Presence = 'kept' | 'filled'

/** The fields of a schema message. A map has only `*`. */
interface Shape {
  readonly [field: string]: Presence | readonly [Presence, Shape]
}

const scopes: Shape = { '*': 'kept' }
const requirement: Shape = { schemes: ['filled', { '*': ['kept', { list: 'filled' }] }] }
const flow: Shape = {
  authorizationUrl: 'kept',
  deviceAuthorizationUrl: 'kept',
  tokenUrl: 'kept',
  refreshUrl: 'filled',
  scopes: ['kept', scopes],
  pkceRequired: 'filled',
}
const flows: Shape = {
  authorizationCode: ['kept', flow],
  clientCredentials: ['kept', flow],
  implicit: ['kept', { ...flow, authorizationUrl: 'filled', scopes: ['filled', scopes] }],
  password: ['kept', { ...flow, tokenUrl: 'filled', scopes: ['filled', scopes] }],
  deviceCode: ['kept', flow],
}
const scheme: Shape = {
  apiKeySecurityScheme: ['kept', { description: 'filled', location: 'kept', name: 'kept' }],
  httpAuthSecurityScheme: ['kept', { description: 'filled', scheme: 'kept', bearerFormat: 'filled' }],
  oauth2SecurityScheme: ['kept', { description: 'filled', flows: ['kept', flows], oauth2MetadataUrl: 'filled' }],
  openIdConnectSecurityScheme: ['kept', { description: 'filled', openIdConnectUrl: 'kept' }],
  mtlsSecurityScheme: ['kept', { description: 'filled' }],
}
const card: Shape = {
  name: 'kept',
  description: 'kept',
  supportedInterfaces: ['kept', { url: 'kept', protocolBinding: 'kept', tenant: 'filled', protocolVersion: 'kept' }],
  provider: ['kept', { url: 'kept', organization: 'kept' }],
  version: 'kept',
  documentationUrl: 'kept',
  capabilities: [
    'kept',
    {
      streaming: 'kept',
      pushNotifications: 'kept',
      extensions: ['filled', { uri: 'filled', description: 'filled', required: 'filled', params: 'filled' }],
      extendedAgentCard: 'kept',
    },
  ],
  securitySchemes: ['filled', { '*': ['kept', scheme] }],
  securityRequirements: ['filled', requirement],
  defaultInputModes: 'kept',
  defaultOutputModes: 'kept',
  skills: [
    'kept',
    {
      id: 'kept',
      name: 'kept',
      description: 'kept',
      tags: 'kept',
      examples: 'filled',
      inputModes: 'filled',
      outputModes: 'filled',
      securityRequirements: ['filled', requirement],
    },
  ],
  iconUrl: 'kept',
}

export function canonicalCard(value: ValueRecord): string {
  return canonicalJson(pruned(value, card))
}

function pruned(value: ValueRecord, shape: Shape): ValueRecord {
  const every = shape['*']
  const entries = Object.entries(value).flatMap(([key, child]): [string, Value][] => {
    const field = every ?? (Object.hasOwn(shape, key) ? shape[key] : undefined)
    if (field === undefined || child === null) return []
    const [presence, inner] = typeof field === 'string' ? [field] : field
    if (presence === 'filled' && isDefault(child)) return []
    return [[key, inner === undefined ? child : inside(child, inner)]]
  })
  return Object.fromEntries(entries)
}

function inside(value: Value, shape: Shape): Value {
  if (isList(value)) return value.map((item) => inside(item, shape))
  return isRecord(value) ? pruned(value, shape) : value
}

function isDefault(value: Value): boolean {
  if (isList(value)) return value.length === 0
  if (isRecord(value)) return Object.keys(value).length === 0
  return value === '' || value === false || value === 0
}

/** Writes JSON as RFC 8785 defines it: sorted keys, no white space, numbers as doubles. */
function canonicalJson(value: Value): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isRecord(value)) return writeJson(typeof value === 'bigint' ? Number(value) : value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${writeJson(key)}:${canonicalJson(value[key] ?? null)}`).join(',')}}`
}
