/** The kinds of sinks and the harm that each can cause. */
import type { Impact, SeverityLevel } from '@joust/oatf/enumerations'

/** The consequences of a call to a kind of sink. */
interface SinkMeaning {
  /** The harm, as a clause after the tool name. */
  readonly does: string
  readonly cost: number
  readonly severity: SeverityLevel
  readonly impact: Impact
  /** True if an argument can contain private data. */
  readonly carries: boolean
  /** True if the arguments reach other people or machines. */
  readonly leaves: boolean
}

// biome-ignore format: a row is a line
export const sinkKinds = {
  executes: { does: 'runs code or a command', cost: 7, severity: 'critical', impact: 'unauthorized_actions', carries: true, leaves: true },
  pays: { does: 'moves money', cost: 7, severity: 'critical', impact: 'unauthorized_actions', carries: false, leaves: false },
  sends: { does: 'sends data to others', cost: 6, severity: 'high', impact: 'data_exfiltration', carries: true, leaves: true },
  fetches: { does: 'opens a URL, which can leak data', cost: 5, severity: 'high', impact: 'data_exfiltration', carries: true, leaves: true },
  deletes: { does: 'deletes something', cost: 5, severity: 'high', impact: 'data_tampering', carries: false, leaves: false },
  grants: { does: 'grants access', cost: 6, severity: 'critical', impact: 'privilege_escalation', carries: false, leaves: false },
  writes: { does: 'changes something', cost: 3, severity: 'medium', impact: 'data_tampering', carries: true, leaves: false },
  unsure: { does: 'has an unknown effect', cost: 1, severity: 'medium', impact: 'unauthorized_actions', carries: true, leaves: false },
} as const satisfies Readonly<Record<string, SinkMeaning>>

export type SinkKind = keyof typeof sinkKinds

/** A rule that determines the kind of a sink. The first rule that matches is used. */
interface SinkRule {
  readonly kind: SinkKind
  readonly verbs: ReadonlySet<string>
  readonly arguments: ReadonlySet<string>
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((word) => word !== ''))

// biome-ignore format: a row is a line
export const sinkRules: readonly SinkRule[] = [
  { kind: 'pays', verbs: set('pay transfer purchase buy refund charge withdraw deposit donate transaction payment'), arguments: set('iban amount payee') },
  { kind: 'executes', verbs: set('run execute exec evaluate eval invoke command shell terminal bash'), arguments: set('command cmd script code') },
  { kind: 'grants', verbs: set('grant invite permission member password role'), arguments: set('permission role') },
  { kind: 'deletes', verbs: set('delete remove drop clear wipe purge kill uninstall'), arguments: set('') },
  { kind: 'sends', verbs: set('send post reply forward broadcast share publish notify comment email tweet submit push'), arguments: set('to recipient recipients cc bcc') },
  { kind: 'fetches', verbs: set('fetch scrape crawl navigate visit goto'), arguments: set('url urls uri endpoint webhook') },
]
