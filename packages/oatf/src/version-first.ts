import { putFirst } from '@joust/source'

/**
 * The text of a document with `oatf` as its first key ([OATF §11.2](https://oatf.io/specification/conformance/) item
 * 9); comments and layout stay.
 */
export function versionFirst(text: string): string {
  // A large text is not read just to find that it begins with the key.
  return text.startsWith('oatf:') ? text : putFirst(text, 'oatf')
}
