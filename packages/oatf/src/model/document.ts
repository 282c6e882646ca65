/** The document types of SDK §2, spelled as in the YAML. Extension fields stay where they were written. */
import type { Value } from '@joust/source'
import type {
  Category,
  CorrelationLogic,
  Direction,
  ExtractorSource,
  ExtractorType,
  Framework,
  Impact,
  IndicatorMethod,
  LogLevel,
  Mode,
  Protocol,
  Relationship,
  SemanticIntentClass,
  SeverityLevel,
  Status,
  Surface,
  Tier,
} from './enumerations.ts'

/** Fields whose name starts with `x-` (§10.3). */
export interface Extensions {
  readonly [extension: `x-${string}`]: Value
}

/** §2.2. `$schema` is kept and otherwise ignored. */
export interface Document {
  readonly oatf: string
  readonly $schema?: string
  readonly attack: Attack
}

/** §2.3 */
export interface Attack extends Extensions {
  readonly id?: string
  readonly name?: string
  readonly version?: number | bigint
  readonly status?: Status
  readonly created?: string
  readonly modified?: string
  readonly author?: string
  readonly description?: string
  readonly grace_period?: string
  readonly severity?: Severity | SeverityLevel
  readonly impact?: readonly Impact[]
  readonly classification?: Classification
  readonly references?: readonly Reference[]
  readonly execution: Execution
  readonly indicators?: readonly Indicator[]
  readonly correlation?: Correlation
}

/** A private member, so that a changed copy counts as a document that nobody has checked. */
declare class Normal {
  private readonly form: 'normal'
}

/** A valid document with everything written out (SDK §3.3); only `load` makes one. */
export interface NormalDocument extends Document, Normal {
  readonly attack: NormalAttack
}

/** An attack with its defaults, its severity as an object and its execution as actors. */
export interface NormalAttack extends Attack {
  readonly name: string
  readonly version: number | bigint
  readonly status: Status
  readonly severity?: Severity
  readonly execution: NormalExecution
}

interface NormalExecution extends Execution {
  readonly actors: readonly Actor[]
}

/** §2.3a */
export interface Correlation {
  readonly logic?: CorrelationLogic
}

/** §2.4 */
export interface Severity {
  readonly level: SeverityLevel
  readonly confidence?: number
}

/** §2.5 */
export interface Classification {
  readonly category?: Category
  readonly mappings?: readonly FrameworkMapping[]
  readonly tags?: readonly string[]
}

/** §2.18 */
export interface FrameworkMapping {
  readonly framework: Framework
  readonly id: string
  readonly name?: string
  readonly url?: string
  readonly relationship?: Relationship
}

/** §2.17 */
export interface Reference {
  readonly url: string
  readonly title?: string
  readonly description?: string
}

/** §2.6. Exactly one of `state`, `phases`, `actors`; a normalized document has `actors`. */
export interface Execution extends Extensions {
  readonly mode?: Mode
  readonly state?: Value
  readonly phases?: readonly Phase[]
  readonly actors?: readonly Actor[]
}

/** §2.6a */
export interface Actor extends Extensions {
  readonly name: string
  readonly mode: Mode
  readonly phases: readonly Phase[]
}

/** §2.7 */
export interface Phase extends Extensions {
  readonly name?: string
  readonly description?: string
  readonly mode?: Mode
  readonly state?: Value
  readonly extractors?: readonly Extractor[]
  readonly on_enter?: readonly Action[]
  readonly trigger?: Trigger
}

/** §2.7a. Exactly one key that is not an extension: `send`, `log`, or one that a binding defines. */
export interface Action {
  readonly send?: SendAction
  readonly log?: LogAction
  readonly [key: string]: Value | SendAction | LogAction | undefined
}

export interface SendAction {
  readonly method: string
  readonly params?: Value
}

export interface LogAction {
  readonly message: string
  readonly level?: LogLevel
}

/** §2.8 */
export interface Trigger {
  readonly event?: string
  readonly count?: number | bigint
  readonly match?: MatchPredicate
  readonly after?: string
}

/** §2.8a */
export interface ProtocolEvent {
  readonly event_type: string
  readonly content: Value
}

/** §2.8c. Made fresh on phase entry; `evaluateTrigger` counts in it. */
export interface TriggerState {
  event_count: number
}

/** §2.9 */
export interface Extractor {
  readonly name: string
  readonly source: ExtractorSource
  readonly type: ExtractorType
  readonly selector: string
}

/** §2.10: simple dot-path to condition, combined with AND. */
export interface MatchPredicate {
  readonly [path: string]: Condition
}

/** §2.11: operators combined with AND. */
export interface MatchCondition {
  readonly contains?: string
  readonly starts_with?: string
  readonly ends_with?: string
  readonly regex?: string
  readonly any_of?: readonly Value[]
  readonly gt?: number | bigint
  readonly lt?: number | bigint
  readonly gte?: number | bigint
  readonly lte?: number | bigint
  readonly exists?: boolean
}

/** A bare value for equality, or an object of operators. */
export type Condition = Value | MatchCondition

/** §2.12, with `tier` (docs/decisions/0002). */
export interface Indicator extends Extensions {
  readonly id?: string
  readonly protocol?: Protocol
  readonly surface?: Surface
  readonly target: string
  readonly actor?: string
  readonly direction?: Direction
  readonly method?: IndicatorMethod
  readonly description?: string
  readonly pattern?: PatternMatch
  readonly expression?: ExpressionMatch
  readonly semantic?: SemanticMatch
  readonly tier?: Tier
  readonly confidence?: number
  readonly severity?: SeverityLevel
  readonly false_positives?: readonly string[]
}

/** §2.13. The operators are the shorthand form, `condition` the standard one. */
export interface PatternMatch extends Omit<MatchCondition, 'exists'> {
  readonly target?: string
  readonly condition?: Condition
}

/** §2.14 */
export interface ExpressionMatch {
  readonly cel: string
  readonly variables?: { readonly [name: string]: string } | null
}

/** §2.15 */
export interface SemanticMatch {
  readonly target?: string
  readonly intent: string
  readonly intent_class?: SemanticIntentClass
  readonly threshold?: number
  readonly examples?: SemanticExamples | null
}

/** §2.16 */
export interface SemanticExamples {
  readonly positive?: readonly string[]
  readonly negative?: readonly string[]
}

/** §2.23, reserved. */
export interface SynthesizeBlock {
  readonly prompt?: string
}

/** §2.24. Other keys are the binding's own, for example `messages` of an MCP prompt. */
export interface ResponseEntry {
  readonly when?: MatchPredicate
  readonly content?: Value
  readonly synthesize?: SynthesizeBlock
  readonly [key: string]: Value | MatchPredicate | SynthesizeBlock | undefined
}
