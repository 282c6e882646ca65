/** `@joust/arena/cassette`: calls of models and endpoints, recorded and played back. Needs `@joust/runtime`. */

export type { CassetteScope } from './cassette/file.ts'
export { recordedModel, recordedModels } from './cassette/models.ts'
export { type Cassette, type CassetteOptions, openCassette, replayedTarget } from './cassette/open-cassette.ts'
