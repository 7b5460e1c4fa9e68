/*
 * The only way by which this page makes elements. What a proof says is anybody's word, so it comes in as text nodes and
 * never as markup; the page's policy refuses markup out of strings besides (`require-trusted-types-for`).
 */

/** What an element may hold; what is null or undefined is left out. */
export type Child = Node | string | null | undefined

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** An element of HTML. An attribute of `true` stands alone; of `false` or undefined it is left out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(name), attributes, children)
}

/** An element of a drawing. */
export function svg(name: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value))
  element.append(...children.filter((child) => child != null))
  return element
}

/** The element of the page with this id. @throws when it is of another kind, or not there */
export function part<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`)
  return found
}

/** `1 record`, `4 records`. */
export const some = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
