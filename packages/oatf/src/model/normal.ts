/** The normal form of a document ([OATF SDK §3.3](https://oatf.io/sdk/entry-points/)): defaults present, shorthands expanded. */
import type {
  Actor,
  Attack,
  Condition,
  Correlation,
  Document,
  Execution,
  Indicator,
  PatternMatch,
  Phase,
  Severity,
} from './document.ts'
import type { Protocol, Status } from './enumerations.ts'

/** A private member, so that a modified copy is not considered normalized. */
declare class Normal {
  private readonly form: 'normal'
}

/** A valid document with all defaults (OATF SDK §3.3): the result of `normalize`, and part of a `LoadedAttack`. */
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
  readonly indicators?: readonly NormalIndicator[]
  readonly correlation?: Required<Correlation>
}

/** An indicator with its id and protocol, and its pattern in the standard form. */
export interface NormalIndicator extends Indicator {
  readonly id: string
  readonly protocol: Protocol
  readonly pattern?: NormalPattern
}

interface NormalPattern extends PatternMatch {
  readonly target: string
  readonly condition: Condition
}

interface NormalExecution extends Execution {
  readonly actors: readonly NormalActor[]
}

interface NormalActor extends Actor {
  readonly phases: readonly NormalPhase[]
}

interface NormalPhase extends Phase {
  readonly name: string
}
