/** Conditions and the approvals that use them, spelled as in the YAML. */

/** One group, all of whose entries hold, or several, one of which must hold. */
export type Conditions = ConditionGroup | readonly ConditionGroup[]

/** Entries that must all hold; a group without any always holds. */
export interface ConditionGroup {
  readonly args_match?: Readonly<Record<string, Matcher>>
}

/** A literal for equality, or operators that must all hold. */
export type Matcher = Literal | Operators

/** What a value can be compared with. */
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

/** `true`: always ask. `false`: exempt from an inherited approval. Object: ask always, or when its condition holds. */
export type Approval = boolean | ApprovalConfig

/** An approval with a message or a condition of its own. */
export interface ApprovalConfig {
  readonly message_template?: string
  readonly condition?: Conditions
}
