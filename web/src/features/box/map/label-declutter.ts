/** A point of the map's picture, in pixels. */
type Pixel = { x: number; y: number }

/** Room that one label takes around its marker, in pixels. */
export type LabelSize = { width: number; height: number }

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
