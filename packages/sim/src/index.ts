/** Simulated language models: deterministic, without keys or network, behind the provider interface of the AI SDK. */

export { attackerModel } from './models/attacker.ts'
export { cautiousModel, credulousModel, silentModel, simulationVersion } from './models/obedience.ts'
export { readScript, type Script, type ScriptedCall, type ScriptedTurn, scriptedModel } from './models/scripted.ts'
export type { Marks } from './prompt/view.ts'
