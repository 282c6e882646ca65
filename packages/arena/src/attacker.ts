/** `@joust/arena/attacker`: a model as attacker. Needs `@joust/runtime`. */

export { modelAttacker } from './attacker/model-attacker.ts'
export { modelSynthesizer, type Synthesizer } from './attacker/synthesize.ts'
