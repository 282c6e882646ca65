/** Types and helpers for the tables of agent frameworks. */

/** An agent framework: how to detect its agents, and the code that calls them. */
export interface AgentForm {
  readonly title: string
  /** Package names as written in a manifest. */
  readonly distributions: readonly string[]
  /** Modules whose import identifies the framework; one is enough. */
  readonly modules: readonly string[]
  /** Matches the definition of an agent and captures its name; a default export has none. */
  readonly written: RegExp
  readonly call: AgentCall
  /** Additional package that the call requires. */
  readonly needs?: string
  /** Tested version of the first package. */
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

/** Matches the assignment of an object created by one of these functions. */
export function definition(...names: readonly string[]): RegExp {
  return new RegExp(String.raw`${assigned}(?:\w+\.)*(?:${names.join('|')})(?:\[[^\]\n]*\])?\(`, 'gm')
}

/** Declares the conversation history of the wrapper. */
export const HISTORY = 'history = []'
