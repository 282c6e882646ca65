/** URI templates with plain variables (RFC 6570, level 1): enough to tell which template a URI is from. */

const VARIABLE = /\{[A-Za-z0-9_.%]+\}/

/** Whether a URI can be made from a template. A variable stands for at least one character, and never for a slash. */
export function matchesTemplate(uri: string, template: string): boolean {
  const [first = '', ...literals] = template.split(VARIABLE)
  if (!uri.startsWith(first)) return false
  let rest = uri.slice(first.length)
  for (const [index, literal] of literals.entries()) {
    // The last literal is the end of the URI; the others are where they come first.
    const last = index === literals.length - 1
    const at = last ? rest.length - literal.length : rest.indexOf(literal, 1)
    if (at < 1 || !rest.startsWith(literal, at) || rest.slice(0, at).includes('/')) return false
    rest = rest.slice(at + literal.length)
  }
  return rest === ''
}
