import { own } from '@joust/source'
import { isSnakeCase, snakeCaseFault } from '../names.ts'
import type { Rule } from '../rule.ts'

/** Extractor names are snake_case (V-037). */
export const extractorNameFormat: Rule = (walk, report) => {
  for (const extractor of walk.extractors) {
    const name = own(extractor.value, 'name')
    const path = [...extractor.path, 'name']
    if (name === undefined) report(path, 'the field "name" is required: templates refer to an extractor by it')
    else if (typeof name !== 'string' || !isSnakeCase(name)) report(path, ...snakeCaseFault(name))
  }
}
