/** What every SARIF 2.1.0 log of this program has in common. */
import { version } from '../terminal/version.ts'
import { jsonText } from './json.ts'

/** What a log is about. */
export interface SarifContent {
  readonly rules: readonly object[]
  readonly results: readonly object[]
  readonly notifications: readonly object[]
  /** Whether everything was looked at that was to be; it was, if nothing is said. */
  readonly complete?: boolean
}

/** A log with one run. */
export function sarifLog({ rules, results, notifications, complete = true }: SarifContent): string {
  return jsonText({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'joust', version: version(), rules } },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: complete, toolExecutionNotifications: notifications }],
        results,
      },
    ],
  })
}

/** A relative reference; the consumer knows where the repository lies. */
export function artifact(name: string): object {
  const wellFormed = name.replaceAll(/\p{Surrogate}/gu, '\ufffd')
  return { uri: wellFormed.split('/').map(encodeURIComponent).join('/') }
}
