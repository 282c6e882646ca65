import { putFirst } from '@joust/source'

/** §4.1, §11.2 item 9: the text of a document as tools emit it, with `oatf` as its first key; comments and layout stay. */
export function versionFirst(text: string): string {
  // A large text is not read just to find that it begins with the key.
  return text.startsWith('oatf:') ? text : putFirst(text, 'oatf')
}
