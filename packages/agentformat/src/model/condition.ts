/** Condition and approval types, with the field names of the YAML. */

/** One group, or several groups, one of which must match. */
export type Conditions = ConditionGroup | readonly ConditionGroup[]

/** Entries that must all match. An empty group always matches. */
export interface ConditionGroup {
  readonly args_match?: Readonly<Record<string, Matcher>>
}

/** A literal to compare with, or operators that must all match. */
export type Matcher = Literal | Operators

/** A literal value. */
export type Literal = string | number | boolean

/** Matcher operators. All operators present must match. */
export interface Operators {
  readonly gt?: number
  readonly gte?: number
  readonly lt?: number
  readonly lte?: number
  readonly ne?: Literal
  readonly pattern?: string
  readonly in?: readonly Literal[]
  readonly not_in?: readonly Literal[]
}

/**
 * An approval setting. `true` always requires approval, `false` overrides an inherited approval, and an object requires
 * approval always or if its condition matches.
 */
export type Approval = boolean | ApprovalConfig

/** An approval with its own message or condition. */
export interface ApprovalConfig {
  readonly message_template?: string
  readonly condition?: Conditions
}
