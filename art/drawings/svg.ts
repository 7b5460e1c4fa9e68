/** Attribute values; undefined leaves the attribute out. */
type Attributes = Record<string, string | number | undefined>

/** One element as text. */
export function tag(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? Math.round(value * 1000) / 1000 : value}"`)
    .join('')
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`
}

export const path = (d: string, attributes: Attributes): string => tag('path', { d, ...attributes })

export const group = (attributes: Attributes, ...children: string[]): string =>
  tag('g', attributes, ...children)

let serial = 0

/** A name no other part of the picture has. */
export const freshId = (): string => `p${++serial}`

/** Starts the names anew; called once per picture so that its text depends on nothing drawn before. */
export const restartIds = (): void => {
  serial = 0
}

/** Draws `content` only inside the shape `d`. */
export function inside(d: string, ...content: string[]): string {
  const id = freshId()
  return `<clipPath id="${id}"><path d="${d}"/></clipPath>${group({ 'clip-path': `url(#${id})` }, ...content)}`
}

export type Stop = readonly [offset: number, color: string, opacity?: number]

const stops = (list: readonly Stop[]): string =>
  list
    .map(([offset, color, opacity]) => tag('stop', { offset, 'stop-color': color, 'stop-opacity': opacity }))
    .join('')

/** A straight gradient in drawing units: its definition and the paint that uses it. */
export function linear(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  list: readonly Stop[],
): [string, string] {
  const id = freshId()
  const units = { gradientUnits: 'userSpaceOnUse', id }
  return [tag('linearGradient', { ...units, x1, y1, x2, y2 }, stops(list)), `url(#${id})`]
}

/** A round gradient in drawing units: its definition and the paint that uses it. */
export function radial(cx: number, cy: number, r: number, list: readonly Stop[]): [string, string] {
  const id = freshId()
  return [
    tag('radialGradient', { gradientUnits: 'userSpaceOnUse', id, cx, cy, r }, stops(list)),
    `url(#${id})`,
  ]
}
