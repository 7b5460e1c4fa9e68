import { closed, line, mix, type Point, smooth } from './geometry.ts'

/**
 * A fish's outline in thousandths of its standard length: snout at (0, 0), root of the tail at x = 1000.
 * `top` and `bottom` run from snout to tail root as [length, height] in shares of the length.
 */
export type Outline = { top: readonly Point[]; bottom: readonly Point[]; sag?: number }

/** The measured body: `at(u, v)` is the place at share `u` of the length and `v` from back (0) to belly (1). */
export type Body = {
  outline: string
  at: (u: number, v: number) => Point
  depth: (u: number) => number
}

function heightAt(curve: readonly Point[], x: number): number {
  const next = curve.findIndex((point) => point[0] >= Math.min(x, 999))
  const [after, before] = [curve[next === -1 ? curve.length - 1 : next], curve[Math.max(0, next - 1)]]
  if (!after || !before || next <= 0) return (after ?? before ?? [0, 0])[1]
  const span = after[0] - before[0]
  return span === 0 ? after[1] : mix(before[1], after[1], (x - before[0]) / span)
}

/** Measures an outline. */
export function bodyOf({ top, bottom, sag = 0 }: Outline): Body {
  const drop = (x: number) => sag * Math.sin((x / 1000) * Math.PI)
  const scaled = (points: readonly Point[], sign: number): Point[] =>
    points.map(([u, h]) => [u * 1000, h * 1000 * sign])
  const whole = smooth(
    [[1040, 0], ...scaled(bottom, 1).reverse(), ...scaled(top, -1).slice(1), [1040, 0]],
    340,
  )
  const snout = whole.reduce((best, point, index) => (point[0] < (whole[best]?.[0] ?? 0) ? index : best), 0)
  const lower = whole.slice(0, snout + 1).reverse()
  const upper = whole.slice(snout)
  const bent = whole.map(([x, y]): Point => [x, y + drop(x)])
  return {
    outline: closed(bent),
    at: (u, v) => {
      const x = u * 1000
      return [x, mix(heightAt(upper, x), heightAt(lower, x), v) + drop(x)]
    },
    depth: (u) => heightAt(lower, u * 1000) - heightAt(upper, u * 1000),
  }
}

const run = (body: Body, from: number, to: number, v: number): Point[] =>
  Array.from({ length: 41 }, (_, step) => body.at(mix(from, to, step / 40), v))

/** The strip of skin between two lines along the body. */
export const strip = (body: Body, v0: number, v1: number, from = 0, to = 1): string =>
  closed([...run(body, from, to, v0), ...run(body, from, to, v1).reverse()])

/** A line along the body. */
export const along = (body: Body, v: number, from = 0, to = 1): string => line(run(body, from, to, v))

/** A smooth line through places given as [u, v]. */
export const across = (body: Body, places: readonly Point[]): string =>
  line(
    smooth(
      places.map(([u, v]) => body.at(u, v)),
      24,
    ),
  )
