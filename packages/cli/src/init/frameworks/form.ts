/** Types and helpers for the tables of agent frameworks. */

/** An agent framework: patterns that detect its agents, and the code that calls them. */
export interface AgentForm {
  readonly title: string
  /** Package names as written in a manifest. */
  readonly distributions: readonly string[]
  /** Modules whose import identifies the framework; one is enough. */
  readonly modules: readonly string[]
  /** Matches the definition of an agent and captures the agent's name, unless the agent is a default export. */
  readonly written: RegExp
  readonly call: AgentCall
  /** Additional package that the call requires. */
  readonly needs?: string
  /** Tested version of the first package in `distributions`. */
  readonly tried: string
}

/** Wrapper code, in which `agent` is the agent and `prompt` is the user's message. */
interface AgentCall {
  readonly imports: readonly string[]
  /** Lines before the agent is imported. */
  readonly before?: readonly string[]
  /** Lines after the agent is imported, outside the function. */
  readonly after?: readonly string[]
  readonly lines: readonly string[]
}

const assigned = String.raw`^(\w+)(?:\s*:[^=\n]+)?\s*=\s*`

/** Returns a pattern for the assignment of an object that one of these functions creates. */
export function definition(...names: readonly string[]): RegExp {
  return new RegExp(String.raw`${assigned}(?:\w+\.)*(?:${names.join('|')})(?:\[[^\]\n]*\])?\(`, 'gm')
}

/** Line that declares the conversation history in a wrapper. */
export const HISTORY = 'history = []'
