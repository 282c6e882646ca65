/** `@joust/arena/attacker`: a model as the attacker. Needs `@joust/runtime`. */

export { modelAttacker } from './attacker/model-attacker.ts'
export { modelSynthesizer, type Synthesizer } from './attacker/synthesize.ts'
