/** `@joust/arena/cassette`: records and replays calls of models and endpoints. Needs `@joust/runtime`. */

export type { CassetteScope } from './cassette/file.ts'
export { recordedModel, recordedModels } from './cassette/models.ts'
export { type Cassette, type CassetteOptions, openCassette, replayedTarget } from './cassette/open-cassette.ts'
