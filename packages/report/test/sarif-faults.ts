/**
 * A checker for the part of SARIF 2.1.0 that this program writes: the fields, their types, and which are required.
 */
type Kind =
  | 'text'
  | 'index'
  | 'line'
  | 'flag'
  | 'bag'
  | 'uri'
  | readonly string[]
  | { readonly list: Kind }
  | { readonly fields: { readonly [name: string]: Kind } }

const level = ['none', 'note', 'warning', 'error']
const message: Kind = { fields: { 'text!': 'text' } }
const location: Kind = {
  fields: {
    physicalLocation: {
      fields: {
        artifactLocation: { fields: { uri: 'uri' } },
        region: { fields: { startLine: 'line', startColumn: 'line', endColumn: 'line' } },
      },
    },
    logicalLocations: { list: { fields: { fullyQualifiedName: 'text' } } },
  },
}
const rule: Kind = {
  fields: {
    'id!': 'text',
    name: 'text',
    shortDescription: message,
    fullDescription: message,
    help: message,
    defaultConfiguration: { fields: { level } },
    properties: 'bag',
  },
}
const result: Kind = {
  fields: {
    ruleId: 'text',
    ruleIndex: 'index',
    kind: ['pass', 'open', 'informational', 'notApplicable', 'review', 'fail'],
    level,
    rank: 'index',
    'message!': message,
    locations: { list: location },
    partialFingerprints: 'bag',
    properties: 'bag',
  },
}
const log: Kind = {
  fields: {
    $schema: 'uri',
    'version!': ['2.1.0'],
    'runs!': {
      list: {
        fields: {
          'tool!': { fields: { 'driver!': { fields: { 'name!': 'text', version: 'text', rules: { list: rule } } } } },
          columnKind: ['utf16CodeUnits', 'unicodeCodePoints'],
          invocations: {
            list: {
              fields: {
                'executionSuccessful!': 'flag',
                toolExecutionNotifications: {
                  list: { fields: { level, 'message!': message, locations: { list: location } } },
                },
              },
            },
          },
          results: { list: result },
        },
      },
    },
  },
}

/** All violations of SARIF 2.1.0 in a log, with their paths. */
export function sarifFaults(value: unknown): string[] {
  const faults = check(value, log, '')
  return faults.length > 0 ? faults : relations(value as Log)
}

function check(value: unknown, kind: Kind, path: string): string[] {
  if (typeof kind === 'string') return plainly(value, kind) ? [] : [`${path}: no ${kind}`]
  if (Array.isArray(kind)) return kind.includes(value as string) ? [] : [`${path}: none of ${kind}`]
  if ('list' in kind) {
    if (!Array.isArray(value)) return [`${path}: no list`]
    return value.flatMap((item, index) => check(item, kind.list, `${path}[${index}]`))
  }
  if (!('fields' in kind) || typeof value !== 'object' || value === null) return [`${path}: no object`]
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const known = new Map(Object.entries(kind.fields).map(([name, of]) => [name.replace('!', ''), of]))
  const missing = Object.keys(kind.fields).filter((name) => name.endsWith('!') && !(name.slice(0, -1) in value))
  return [
    ...missing.map((name) => `${at(name.slice(0, -1))}: missing`),
    ...Object.entries(value).flatMap(([name, item]) => {
      const of = known.get(name)
      return of === undefined ? [`${at(name)}: unknown`] : check(item, of, at(name))
    }),
  ]
}

function plainly(value: unknown, kind: string): boolean {
  if (kind === 'text') return typeof value === 'string' && value !== ''
  if (kind === 'uri') return typeof value === 'string' && /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/.test(value)
  if (kind === 'flag') return typeof value === 'boolean'
  if (kind === 'bag') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return Number.isInteger(value) && (value as number) >= (kind === 'line' ? 1 : 0)
}

interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules?: readonly { readonly id: string }[] } }
    readonly results?: readonly { ruleId?: string; ruleIndex?: number; kind?: string; level?: string }[]
  }[]
}

/** Constraints on several fields together (SARIF §3.27.5, §3.27.9, §3.27.10). */
function relations({ runs }: Log): string[] {
  return runs.flatMap(({ tool, results = [] }, run) =>
    results.flatMap(({ ruleId, ruleIndex = 0, kind = 'fail', level = 'warning' }, index) => {
      const path = `runs[${run}].results[${index}]`
      return [
        ...(tool.driver.rules?.[ruleIndex]?.id === ruleId ? [] : [`${path}.ruleIndex: another rule`]),
        ...(kind !== 'fail' && level !== 'none' ? [`${path}.level: a level for ${kind}`] : []),
      ]
    }),
  )
}
