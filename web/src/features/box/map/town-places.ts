/** A point of the map's picture, in pixels. */
type Pixel = { x: number; y: number }

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
