/** `@joust/arena/cassette`: calls of models and endpoints, recorded and played back. Needs `@joust/runtime`. */

export type { CassetteScope } from './cassette/file.ts'
export { recordedModel, recordedModels } from './cassette/models.ts'
export { type Cassette, type CassetteOptions, openCassette } from './cassette/open-cassette.ts'
export { replayedTarget } from './cassette/replayed-target.ts'
