/** Builds SARIF 2.1.0 logs. */
import { jsonText } from '@joust/source'

/** The content of a log, with text that is not escaped. */
interface SarifContent {
  readonly version: string
  readonly rules: readonly SarifRule[]
  readonly results: readonly SarifResult[]
  readonly notifications: readonly SarifNotification[]
  /** False if the run is incomplete. @default true */
  readonly complete?: boolean
}

export interface SarifRule {
  readonly id: string
  readonly name?: string
  readonly summary: string
  readonly description?: string
  readonly help?: string
  readonly level?: SarifLevel
  readonly properties?: object
}

export interface SarifResult {
  readonly rule: string
  readonly kind?: 'fail' | 'open' | 'notApplicable'
  readonly level: SarifLevel
  /** Priority from 0 to 100. */
  readonly rank?: number | undefined
  readonly message: string
  readonly place: SarifPlace
  readonly fingerprints?: Readonly<Record<string, string>>
  readonly properties?: object
}

export interface SarifNotification {
  readonly level: SarifLevel
  readonly message: string
  readonly place?: SarifPlace
}

interface SarifPlace {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly endColumn?: number | undefined
  readonly path?: string | undefined
}

export type SarifLevel = 'error' | 'warning' | 'note' | 'none'

export function sarifLog({ version, rules, results, notifications, complete = true }: SarifContent): string {
  const places = new Map(rules.map(({ id }, index) => [id, index]))
  return jsonText({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'joust', version, rules: rules.map(ruleObject) } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          { executionSuccessful: complete, toolExecutionNotifications: notifications.map(notificationObject) },
        ],
        results: results.map((result) => resultObject(result, places.get(result.rule))),
      },
    ],
  })
}

function ruleObject({ id, name, summary, description, help, level, properties }: SarifRule): object {
  return {
    id,
    name,
    shortDescription: { text: summary },
    fullDescription: description === undefined ? undefined : { text: description },
    help: help === undefined ? undefined : { text: help },
    defaultConfiguration: level === undefined ? undefined : { level },
    properties,
  }
}

function resultObject(result: SarifResult, ruleIndex: number | undefined): object {
  const { rule, kind, level, rank, message, place, fingerprints, properties } = result
  return {
    ruleId: rule,
    ruleIndex,
    kind,
    level,
    rank,
    message: { text: message },
    locations: [locationObject(place)],
    partialFingerprints: fingerprints,
    properties,
  }
}

function notificationObject({ level, message, place }: SarifNotification): object {
  return { level, message: { text: message }, locations: place === undefined ? undefined : [locationObject(place)] }
}

function locationObject({ file, line, column, endColumn, path = '' }: SarifPlace): object {
  const region = line === undefined ? undefined : { startLine: line, startColumn: column, endColumn }
  return {
    physicalLocation: { artifactLocation: { uri: relativeUri(file) }, region },
    logicalLocations: path === '' ? undefined : [{ fullyQualifiedName: path }],
  }
}

/** Returns a URI relative to the repository, which the consumer resolves. */
function relativeUri(name: string): string {
  const wellFormed = name.replaceAll(/\p{Surrogate}/gu, '\ufffd')
  return wellFormed.split('/').map(encodeURIComponent).join('/')
}
