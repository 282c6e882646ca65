/** Compiles patterns in schemas and conditions: ECMA-262 as far as RE2 supports it (Agent Format OPEN-21). */
import { compileRegex, defaultLimits, type Limits, type Regex, type RegexFault, type Result } from '@joust/source'

/** ECMA-262 white space and its complement, for use in a character class. RE2's `\s` matches only ASCII. */
const SPACE = '\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
const OTHER =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

/** Compiles a pattern. The length limit applies to the original pattern. */
export function compilePattern(pattern: string, limits: Limits = defaultLimits): Result<Regex, RegexFault> {
  const spaced = withSpaces(pattern)
  const isTranslated = spaced !== pattern && pattern.length <= limits.regexPattern
  return isTranslated ? compileRegex(spaced, { ...limits, regexPattern: spaced.length }) : compileRegex(pattern, limits)
}

/** Matches an RE2 quotation, an escape, a named class, the start of a class (with a leading `]`), or a bracket. */
const PART = /\\Q.*?(?:\\E|$)|\\.|\[:\^?[a-z]+:\]|\[\^?\]?|\]/gs

/** Expands `\s` and `\S` to the characters that ECMA-262 defines. */
function withSpaces(pattern: string): string {
  if (!/\\s/i.test(pattern)) return pattern
  let inClass = false
  return pattern.replaceAll(PART, (part) => {
    if (part === '\\s') return inClass ? SPACE : `[${SPACE}]`
    if (part === '\\S') return inClass ? OTHER : `[^${SPACE}]`
    if (part.startsWith('[:')) return part
    // Inside a class, an opening bracket is an ordinary character.
    if (part.startsWith('[') && !inClass) inClass = true
    else if (part.endsWith(']') && !part.startsWith('\\')) inClass = false
    return part
  })
}
