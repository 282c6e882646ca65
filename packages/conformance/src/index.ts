/** The public API of `@joust/conformance`. */
export type { CaseResult, Failure } from './case.ts'
export { layoutParts, runConformance } from './run.ts'
