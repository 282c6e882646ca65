/** `@joust/authoring/names`: name lists for options and project files. */

export { toolLabels } from '@joust/arena/inventory'
export { techniqueNames } from './aim/document/techniques.ts'
export { flowFormats } from './aim/flow-map.ts'
