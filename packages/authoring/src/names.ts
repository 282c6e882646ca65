/** `@joust/authoring/names`: closed lists of names, for options and project files. */

export { techniqueNames } from './aim/document/techniques.ts'
export { flowFormats } from './aim/flow-map.ts'
export { toolLabels } from './aim/inventory/rules.ts'
