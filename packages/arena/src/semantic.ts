/** `@joust/arena/judge`: a model as the judge of semantic indicators. Needs `@joust/runtime`. */

export { type Agreement, agreementWith } from './semantic/agreement.ts'
export { type ModelJudge, type ModelJudgeOptions, modelJudge } from './semantic/model-judge.ts'
