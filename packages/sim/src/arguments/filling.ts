/** What goes into the filling of an argument. */
import type { Token } from '../english/tokens.ts'
import type { OfferedTool } from '../prompt/tools.ts'
import type { View } from '../prompt/view.ts'

/** The words that ask for a call. */
export interface Asking {
  readonly verb: string
  readonly tokens: readonly Token[]
  readonly sentence: readonly Token[]
  /** Where named values may stand. */
  readonly scope: readonly Token[]
}

/** A value is being looked for. */
export interface Filling {
  readonly asking: Asking
  readonly view: View
  /** A credulous model takes from anything it read, a cautious one from the words that ask. */
  readonly eager: boolean
  readonly tool?: OfferedTool
  /** What strings are filled with, in an answer. */
  readonly text?: string
}
