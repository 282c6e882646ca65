import { expect, test } from 'vitest'
import { jsonText } from '../src/json-text.ts'

test('characters that steer a terminal are escaped, and survive', () => {
  const text = '\u001b\u009b\u202e\u200b\u2028'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  expect(jsonText(text)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e]/)
  expect(JSON.parse(jsonText(text))).toBe(text)
})
