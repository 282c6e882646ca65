import { isList } from '@joust/source'
import { attackOf, mappingAt } from './draft.ts'
import type { Step } from './step.ts'

/** Tags are lower case with hyphens (§4.5). */
export const tagSpelling: Step = (draft) => {
  const classification = mappingAt(attackOf(draft), 'classification')
  if (classification === undefined || !isList(classification.tags)) return
  classification.tags = classification.tags.map((tag) =>
    typeof tag === 'string' ? tag.toLowerCase().replaceAll(/[_ ]/g, '-') : tag,
  )
}
