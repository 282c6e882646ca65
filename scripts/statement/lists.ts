import { adversarial } from './adversarial.ts'
import { content } from './content.ts'
import { evaluation, partialScope } from './evaluation.ts'
import { general } from './general.ts'
import type { ItemList } from './item.ts'
import { paths } from './paths.ts'
import { sdk } from './sdk.ts'

/** Every list in the statement. */
export const itemLists: readonly ItemList[] = [general, adversarial, evaluation, partialScope, content, sdk, paths]
