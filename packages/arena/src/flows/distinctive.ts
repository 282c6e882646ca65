/** Decides whether a common part of two texts is evidence that one comes from the other. */

/** The minimum length of a part that counts as evidence. */
export const SHORTEST_PART = 12

/** A range of a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The minimum length of a word fragment that consists only of letters. */
const LONG_WORD = 16
/** The minimum number of characters besides common words, dates and punctuation. */
const ENOUGH = 8
const VARIED = 4

/**
 * Returns the evidence in a range that two texts share; undefined if there is none. Truncated words at its ends are
 * omitted unless they are distinctive by themselves. `offset` is the position in `text` minus that in `other`.
 */
export function evidenceIn(text: string, span: Span, other: string, offset: number): Span | undefined {
  let { start, end } = span
  const isCut = (place: number) => isInToken(text, place) || isInToken(other, place - offset)
  const isInWord = (place: number, neighbour: number) =>
    isLetter(text, place) && (isLetter(text, neighbour) || isLetter(other, neighbour - offset))
  if (isCut(start)) {
    const edge = tokenEnd(text, start, end)
    if (!isOddPiece(text.slice(start, edge))) while (start < edge && isInWord(start, start - 1)) start++
  }
  if (isCut(end)) {
    const edge = tokenStart(text, end, start)
    if (!isOddPiece(text.slice(edge, end))) while (end > edge && isInWord(end - 1, end)) end--
  }
  while (start < end && isBlank(text, start)) start++
  while (end > start && isBlank(text, end - 1)) end--
  return end - start >= SHORTEST_PART && isDistinctive(text.slice(start, end)) ? { start, end } : undefined
}

/** False if a range cannot be evidence in any text, because too little is left without its truncated words. */
export function mayBeEvidence(text: string, from: number, to: number): boolean {
  let [start, end] = [from, to]
  const isInWord = (place: number) => isLetter(text, place) && isLetter(text, place - 1)
  if (isInToken(text, start) && tokenEnd(text, start, end) - start < SHORTEST_PART)
    while (start < end && isInWord(start)) start++
  if (isInToken(text, end) && end - tokenStart(text, end, start) < SHORTEST_PART)
    while (end > start && isInWord(end)) end--
  while (start < end && isBlank(text, start)) start++
  while (end > start && isBlank(text, end - 1)) end--
  return end - start >= SHORTEST_PART
}

/** True for a text that is unlikely to occur by chance, with varied characters besides dates and common words. */
export function isDistinctive(text: string): boolean {
  const rest = text
    .replaceAll(TIMES, ' ')
    .replaceAll(/[\p{L}\p{M}']+/gu, (word) => (commonWords.has(word.toLowerCase()) ? ' ' : word))
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return rest.length >= ENOUGH && new Set(rest.toLowerCase()).size >= VARIED
}

/**
 * True for a short value that counts if it is an argument or a word in one: letters with digits, an email address, or a
 * number that is not a date.
 */
export function isDistinctiveValue(value: string): boolean {
  if (!/[\d@]/.test(value) || /\s/.test(value)) return false
  if (new Set(value).size < VARIED || value.replaceAll(TIMES, '').length < SHORTEST_VALUE) return false
  if (/^\d+$/.test(value)) return !/^1[4-9]\d{8}$/.test(value)
  return /@/.test(value) || /[a-z]/i.test(value)
}

/** True for an object key that holds a value, such as a token or an account: field names have few digits. */
export function isValueKey(key: string): boolean {
  return key.length >= SHORTEST_PART && /(?:\d\D*){4}/.test(key)
}

/** The minimum length of a short value that counts as a whole. */
export const SHORTEST_VALUE = 6

const MONTHS =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
/** Dates, times, the beginnings of URLs, and the closing phrase of a letter. */
const TIMES = new RegExp(
  [
    String.raw`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?`,
    String.raw`\b(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:[0-2]\d[0-5]\d(?:[0-5]\d)?)?\b`,
    String.raw`\b1[4-9]\d{8}(?:\d{3})?\b`,
    String.raw`\d{1,2}[./]\d{1,2}[./]\d{2,4}`,
    String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?`,
    String.raw`\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b`,
    String.raw`\b(?:\d{1,2}\.?\s)?${MONTHS}\b\.?(?:\s\d{1,2}\b)?(?:,?\s(?:19|20)\d\d)?`,
    String.raw`\b(?:https?|mailto):(?:\/\/)?(?:www\.)?`,
    'looking forward to hearing from you',
  ].join('|'),
  'gi',
)

/** True if a position is inside a token, not at its edge. */
function isInToken(text: string, place: number): boolean {
  return place > 0 && place < text.length && !isBlank(text, place - 1) && !isBlank(text, place)
}

const blanks = new Uint8Array(128)
for (const blank of ' \t\r\n"\'<>()[]{},;|`') blanks[blank.charCodeAt(0)] = 1

/** True for a token separator, and for a position outside the text. */
function isBlank(text: string, place: number): boolean {
  return place < 0 || place >= text.length || blanks[text.charCodeAt(place)] === 1
}

function tokenEnd(text: string, place: number, limit: number): number {
  let end = place
  while (end < limit && !isBlank(text, end)) end++
  return end
}

function tokenStart(text: string, place: number, limit: number): number {
  let start = place
  while (start > limit && !isBlank(text, start - 1)) start--
  return start
}

/** True if a piece may belong to a key, an address or an id. A piece with only letters must be longer. */
function isOddPiece(piece: string): boolean {
  if (piece.length < SHORTEST_PART) return false
  return /\d/.test(piece) || /[a-z][A-Z]/.test(piece) || piece.length >= LONG_WORD
}

const isLetter = (text: string, place: number) => /[\p{L}\p{N}_]/u.test(text[place] ?? ' ')

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Words that occur in any text or message. */
const commonWords: ReadonlySet<string> = new Set(
  words(`
  a about above after again against all also am an and any are as at back be because been before being below best better
  between both but by can cannot could data date day dear did do does done down each either else end even every few file
  find first following for from further get give go good had has have he hello help her here hi him his how however i if
  in info information into is it its itself just keep kind know last later least less let like list made make many may me
  message might more most much must my name need needed never new next no none not nothing now null number of off ok okay
  old on once one only open or order other our out over own part per please possible provide question read ready regards
  report request request required result results return right same search see send sent set several shall she should show since
  so some soon state status still subject success successful successfully such sure take text than thank thanks that the their them
  then there these they thing this those through time title to today together tomorrow too true type under undefined until
  up update us use used user using value very via want was way we well were what when where which while who why will with
  within without work would yes yesterday yet you your error false found available called content contents current
  currently description details different example following general important including item items issue know line link
  look looking meeting note number page people place point project section something summary tool version week year
  operation operations complete completed failed failure internal server updated created deleted saved
  gmt utc com org net www api github gitlab google microsoft wikipedia youtube
  montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember
  lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre
  novembre décembre lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio
  agosto septiembre octubre noviembre diciembre
  `),
)
