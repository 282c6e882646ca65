import { putFirst } from '@joust/source'

/**
 * Moves `oatf` to the start of a document text ([OATF §11.2](https://oatf.io/specification/conformance/), item 9).
 * Comments and layout are kept.
 */
export function versionFirst(text: string): string {
  // Avoids parsing a large text that already begins with the key.
  return text.startsWith('oatf:') ? text : putFirst(text, 'oatf')
}
