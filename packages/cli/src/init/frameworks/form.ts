/** The rows of the tables of agent frameworks, and parts of those for Python. */

/** A framework: how to detect an agent of it, and the code that calls the agent. */
export interface AgentForm {
  /** Its name for readers. */
  readonly title: string
  /** Names of the packages in a manifest. */
  readonly distributions: readonly string[]
  /** Names that a module imports; one of them is enough. */
  readonly modules: readonly string[]
  /** Matches the definition of an agent and its name; a default export has none. */
  readonly written: RegExp
  /** Calls `agent`. */
  readonly call: AgentCall
  /** A package that the call needs and that the framework does not install. */
  readonly needs?: string
  /** The version of the first package that the call was tried with. */
  readonly tried: string
}

/** Lines of a wrapper: the agent is `agent`, the user's text is `prompt`. */
interface AgentCall {
  readonly imports: readonly string[]
  /** Lines before the agent is imported. */
  readonly before?: readonly string[]
  /** Lines after the agent is imported, outside the function. */
  readonly after?: readonly string[]
  readonly lines: readonly string[]
}

const assigned = String.raw`^(\w+)(?:\s*:[^=\n]+)?\s*=\s*`

/** Matches the assignment of an object that one of the functions creates. */
export function made(...names: readonly string[]): RegExp {
  return new RegExp(String.raw`${assigned}(?:\w+\.)*(?:${names.join('|')})(?:\[[^\]\n]*\])?\(`, 'gm')
}

/** A conversation that the wrapper keeps. */
export const HISTORY = 'history = []'
