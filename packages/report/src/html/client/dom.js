/** Elements. Text goes in as text, and no other way is used anywhere. */
import { plainText, textNodes } from './text.js'

/** @typedef {Node | string | number | false | null | undefined | Child[]} Child */
/** @typedef {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} Attributes */

const SVG = 'http://www.w3.org/2000/svg'

/**
 * An element with attributes, listeners (`onclick` …) and children. Attributes that are `false` or undefined are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  assign(element, attributes)
  append(element, children)
  return element
}

/**
 * An element of a drawing.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag)
  assign(element, attributes)
  append(element, children)
  return /** @type {SVGElement} */ (element)
}

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {Child[]} children
 */
export function fill(element, ...children) {
  element.replaceChildren()
  append(element, children)
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? '' : plainText(String(value)))
  }
}

/**
 * @param {Node} parent
 * @param {Child[]} children
 */
function append(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child)
    else if (child instanceof Node) parent.appendChild(child)
    else if (typeof child === 'string' || typeof child === 'number') {
      for (const node of textNodes(String(child))) parent.appendChild(node)
    }
  }
}
