/** At most so many of `count` in even steps, with the first and the last. */
export function evenly(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i)
  return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1)))
}

/** A point of the map's picture, in pixels. */
type Pixel = { x: number; y: number }

/** Room that one label takes around its marker, in pixels. */
type LabelSize = { width: number; height: number }

/**
 * Which of the labels can be shown without covering one another: the `first` ones are placed before the rest, then
 * in the order given. The answer has the indexes of the shown labels.
 */
export function shownLabels(
  points: readonly Pixel[],
  size: LabelSize,
  first: readonly number[] = [],
): Set<number> {
  const cells = new Map<string, Pixel[]>()
  const shown = new Set<number>()
  const order = new Set([...first, ...points.keys()])
  for (const index of order) {
    const point = points[index]
    if (!point || neighbours(cells, point, size).some((other) => covers(point, other, size))) continue
    shown.add(index)
    const key = cellOf(point, size, 0, 0)
    cells.set(key, [...(cells.get(key) ?? []), point])
  }
  return shown
}

const covers = (a: Pixel, b: Pixel, { width, height }: LabelSize): boolean =>
  Math.abs(a.x - b.x) < width && Math.abs(a.y - b.y) < height

const cellOf = ({ x, y }: Pixel, { width, height }: LabelSize, right: number, down: number): string =>
  `${Math.floor(x / width) + right} ${Math.floor(y / height) + down}`

function neighbours(cells: Map<string, Pixel[]>, point: Pixel, size: LabelSize): Pixel[] {
  const steps = [-1, 0, 1]
  return steps.flatMap((right) => steps.flatMap((down) => cells.get(cellOf(point, size, right, down)) ?? []))
}

/** Width of a letter and height of a line, in pixels: a little more than they are. */
const LETTER = 7.5
const LINE = 20
/** How far a name ends left of its port: beside it, or where that is taken, farther inland. */
const AWAY = [10, 34] as const

type Rectangle = { left: number; right: number; top: number; bottom: number }

const meet = (a: Rectangle, b: Rectangle): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** Room that something round takes. */
const around = ({ x, y }: Pixel, radius: number): Rectangle => ({
  left: x - radius,
  right: x + radius,
  top: y - radius,
  bottom: y + radius,
})

const nameAt = ({ x, y }: Pixel, away: number, name: string): Rectangle => ({
  left: x - away - name.length * LETTER,
  right: x - away,
  top: y - LINE / 2,
  bottom: y + LINE / 2,
})

/**
 * How far left of its port each name is written, in pixels; null where there is no room for it beside the track and
 * the names before it. Names in order of importance.
 * @param track points of the track, near enough to one another
 * @param radius of the marks on the track
 */
export function townPlaces(
  towns: readonly (Pixel & { name: string })[],
  track: readonly Pixel[],
  radius: number,
): (number | null)[] {
  const taken = track.map((point) => around(point, radius))
  return towns.map((town) => {
    const away = AWAY.find((distance) => {
      const name = nameAt(town, distance, town.name)
      return taken.every((other) => !meet(name, other))
    })
    if (away === undefined) return null
    taken.push(nameAt(town, away, town.name))
    return away
  })
}
