/** The CEL and JSONPath libraries, imported statically for synchronous entry points. */
import type { Libraries } from '../model/evaluators.ts'
import { celLibrary } from './cel-library.ts'
import { jsonPathSyntaxError } from './json-path.ts'

export const libraries: Required<Libraries> = { cel: celLibrary, jsonPath: jsonPathSyntaxError }
