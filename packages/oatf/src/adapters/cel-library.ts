import type { CelLibrary } from '../model/evaluators.ts'
import { createCelEvaluator } from './cel.ts'
import { unknownCelFunctions } from './cel-functions.ts'
import { celReads } from './cel-reads.ts'
import { celSyntaxError } from './cel-syntax.ts'

export const celLibrary: CelLibrary = {
  syntaxError: celSyntaxError,
  reads: celReads,
  unknownFunctions: unknownCelFunctions,
  createEvaluator: createCelEvaluator,
}
