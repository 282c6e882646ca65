/** Both libraries at once, for entry points that cannot wait. */
import type { Libraries } from '../model/evaluators.ts'
import { celLibrary } from './cel-library.ts'
import { jsonPathSyntaxError } from './json-path.ts'

export const libraries: Required<Libraries> = { cel: celLibrary, jsonPath: jsonPathSyntaxError }
