/** Every mutation, in the order in which they are tried: what works most often and changes least comes first. */
import { administrator } from './administrator.ts'
import { asError } from './as-error.ts'
import { base64 } from './base64.ts'
import { buried } from './buried.ts'
import { capitals } from './capitals.ts'
import { chinese } from './chinese.ts'
import { closedContext } from './closed-context.ts'
import { fullWidth } from './full-width.ts'
import { german } from './german.ts'
import { hex } from './hex.ts'
import { hiddenComment } from './hidden-comment.ts'
import { homoglyphs } from './homoglyphs.ts'
import { importantTag } from './important-tag.ts'
import { leetspeak } from './leetspeak.ts'
import type { Mutation } from './mutation.ts'
import { orderFirst } from './order-first.ts'
import { orderLast } from './order-last.ts'
import { polite } from './polite.ts'
import { prerequisite } from './prerequisite.ts'
import { rehearsal } from './rehearsal.ts'
import { repeated } from './repeated.ts'
import { reversed } from './reversed.ts'
import { rot13 } from './rot13.ts'
import { spanish } from './spanish.ts'
import { splitParts } from './split-parts.ts'
import { splitTurns } from './split-turns.ts'
import { systemMessage } from './system-message.ts'
import { tagCharacters } from './tag-characters.ts'
import { toDescription } from './to-description.ts'
import { toInstructions } from './to-instructions.ts'
import { toResult } from './to-result.ts'
import { urgent } from './urgent.ts'
import { userRequest } from './user-request.ts'
import { zeroWidth } from './zero-width.ts'

export const mutationTable: readonly Mutation[] = [
  importantTag,
  systemMessage,
  userRequest,
  administrator,
  prerequisite,
  closedContext,
  hiddenComment,
  rehearsal,
  polite,
  urgent,
  german,
  spanish,
  chinese,
  base64,
  rot13,
  hex,
  reversed,
  zeroWidth,
  tagCharacters,
  homoglyphs,
  fullWidth,
  leetspeak,
  capitals,
  orderFirst,
  orderLast,
  buried,
  repeated,
  splitParts,
  splitTurns,
  asError,
  toDescription,
  toInstructions,
  toResult,
]
