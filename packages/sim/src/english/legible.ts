/** Decodes text: hidden characters, look-alikes, control sequences and base64. */

const TAG_BLOCK = 0xe0000
const ESCAPE = String.fromCharCode(0x1b)
// biome-ignore format: a table
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ѕ: 's', ј: 'j', һ: 'h', ԁ: 'd', ԛ: 'q', ԝ: 'w', ո: 'n',
  А: 'A', В: 'B', Е: 'E', К: 'K', М: 'M', Н: 'H', О: 'O', Р: 'P', С: 'C', Т: 'T', У: 'Y', Х: 'X', І: 'I', Ѕ: 'S', Ј: 'J',
  α: 'a', ο: 'o', ρ: 'p', υ: 'u', ν: 'v', ι: 'i', κ: 'k', Α: 'A', Β: 'B', Ε: 'E', Ζ: 'Z', Η: 'H', Ι: 'I', Κ: 'K', Μ: 'M',
  Ν: 'N', Ο: 'O', Ρ: 'P', Τ: 'T', Υ: 'Y', Χ: 'X', ɑ: 'a', ɡ: 'g', ı: 'i', '∕': '/', '⁄': '/', '․': '.', '‑': '-',
}
const BASE64_SHORTEST = 24
const LONGEST = 65_536

/** Text over the limit is truncated. */
export function legible(text: string): string {
  const plain = unhide(text.slice(0, LONGEST).normalize('NFKC'))
  return plain.split(' ').map(decodeWords).join(' ')
}

function unhide(text: string): string {
  return text
    .replaceAll(/[\u{e0020}-\u{e007e}]/gu, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - TAG_BLOCK))
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[^ -~]/gu, (char) => LOOK_ALIKES[char] ?? char)
    .split(ESCAPE)
    .map((part, index) => (index === 0 ? part : afterSequence(part)))
    .join('')
}

/** A control sequence ends at its first letter or with its line. */
function afterSequence(text: string): string {
  const end = text.search(/[@-Z\\-~\n]/)
  return end < 0 ? '' : text.slice(end + 1)
}

function decodeWords(run: string): string {
  return run.length < BASE64_SHORTEST ? run : run.split('\n').map(decodeWord).join('\n')
}

/** The decoded word must contain a space. */
function decodeWord(word: string): string {
  const colon = word.lastIndexOf(':')
  const candidate = word.slice(colon + 1)
  if (candidate.length < BASE64_SHORTEST || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(candidate)) return word
  const decoded = fromBase64(candidate)
  return decoded === undefined ? word : `${word.slice(0, colon + 1)} ${decoded} `
}

function fromBase64(word: string): string | undefined {
  try {
    const text = atob(word.replaceAll('-', '+').replaceAll('_', '/'))
    return text.includes(' ') && /^[\t\n\r\x20-\x7e]+$/.test(text) ? text : undefined
  } catch {
    return undefined
  }
}
