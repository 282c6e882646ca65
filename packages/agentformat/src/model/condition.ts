/** The types of conditions and approvals, with the field names of the YAML. */

/** A condition: one group, or several of which one must match. */
export type Conditions = ConditionGroup | readonly ConditionGroup[]

/** Entries that must all match; an empty group always matches. */
export interface ConditionGroup {
  readonly args_match?: Readonly<Record<string, Matcher>>
}

/** A literal for equality, or operators that must all match. */
export type Matcher = Literal | Operators

/** A value to compare with. */
export type Literal = string | number | boolean

/** The operators: a closed list. */
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
 * An approval setting. `true` always asks, `false` overrides an inherited approval, and an object asks always or if its
 * condition matches.
 */
export type Approval = boolean | ApprovalConfig

/** An approval with a message or a condition of its own. */
export interface ApprovalConfig {
  readonly message_template?: string
  readonly condition?: Conditions
}
