/** The rows of the tables of agent frameworks, and parts of those for Python. */

/** A framework: how to detect an agent of it, and the code that calls the agent. */
export interface AgentForm {
  /** Display name. */
  readonly title: string
  /** Names of the packages in a manifest. */
  readonly distributions: readonly string[]
  /** Modules whose import identifies the framework; one of them is enough. */
  readonly modules: readonly string[]
  /** Matches the definition of an agent and captures its name; a default export has none. */
  readonly written: RegExp
  /** Code that calls the agent. */
  readonly call: AgentCall
  /** An additional package that the call needs. */
  readonly needs?: string
  /** The tested version of the first package. */
  readonly tried: string
}

/** Lines of a wrapper, in which `agent` is the agent and `prompt` the text from the user. */
interface AgentCall {
  readonly imports: readonly string[]
  /** Lines before the agent is imported. */
  readonly before?: readonly string[]
  /** Lines after the agent is imported, outside the function. */
  readonly after?: readonly string[]
  readonly lines: readonly string[]
}

const assigned = String.raw`^(\w+)(?:\s*:[^=\n]+)?\s*=\s*`

/** Matches the assignment of an object that one of these functions creates. */
export function made(...names: readonly string[]): RegExp {
  return new RegExp(String.raw`${assigned}(?:\w+\.)*(?:${names.join('|')})(?:\[[^\]\n]*\])?\(`, 'gm')
}

/** Declares a conversation that the wrapper maintains. */
export const HISTORY = 'history = []'
