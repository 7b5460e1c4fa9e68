import { fish, type Species } from './fish.ts'
import { near } from './light.ts'
import { place } from './place.ts'
import { between, randomFrom } from './random.ts'
import { sheet } from './scene.ts'
import { group, linear, path, restartIds, tag } from './svg.ts'

/** A measuring rule of 100 cm along the foot of the picture; `cm` is the length of 1000 drawing units. */
function rule(length: number): string {
  const marks = Array.from(
    { length: 51 },
    (_, index) => `M${100 + index * 26} 850v${index % 5 === 0 ? 44 : 24}`,
  )
  return (
    tag('rect', {
      x: 70,
      y: 850,
      width: 1360,
      height: 86,
      rx: 8,
      fill: '#e8dcae',
      stroke: '#4a4128',
      'stroke-width': 3,
    }) +
    path(marks.join(''), { stroke: '#2a2416', 'stroke-width': 4 }) +
    tag('rect', { x: 100, y: 912, width: Math.min(1300, length), height: 10, fill: '#ef6a4b' })
  )
}

/** A catch on the wet planks of a boat, beside the rule, as the fisher's camera sees it, 1500×1000. */
export function onDeck(slug: string, species: Species, scale: number): string {
  restartIds()
  const random = randomFrom(slug)
  const planks = Array.from({ length: 6 }, (_, row) => {
    const [wood, fill] = linear(0, row * 170, 0, row * 170 + 170, [
      [0, '#6f8a90'],
      [0.06, '#86a0a5'],
      [0.9, '#65808a'],
      [1, '#2b4048'],
    ])
    return (
      wood +
      tag('rect', { x: -10, y: row * 170, width: 1520, height: 170, fill }) +
      tag('rect', {
        x: -10,
        y: row * 170,
        width: 1520,
        height: 166,
        fill: '#21343c',
        filter: 'url(#streak)',
        opacity: 0.4,
      })
    )
  })
  const drops = Array.from({ length: 120 }, () => {
    const [x, y, r] = [between(random, 0, 1500), between(random, 0, 840), between(random, 2, 8)]
    return (
      tag('ellipse', { cx: x, cy: y, rx: r * 1.2, ry: r, fill: '#cfe6ee', opacity: 0.35 }) +
      tag('circle', { cx: x - r * 0.3, cy: y - r * 0.3, r: r * 0.3, fill: '#fff', opacity: 0.8 })
    )
  })
  const [light, fill] = linear(0, 0, 1500, 1000, [
    [0, '#ffd9a0', 0.34],
    [0.5, '#ffd9a0', 0],
    [1, '#0a2433', 0.5],
  ])
  return sheet(
    ...planks,
    group(
      { opacity: 0.6 },
      tag('ellipse', { cx: 980, cy: 700, rx: 460, ry: 70, fill: '#d3e8ef', opacity: 0.3, filter: near(26) }),
    ),
    ...drops,
    rule(1000 * scale),
    place(fish({ ...species, ice: 0 }, random), [100, 500], scale, 0),
    light,
    tag('rect', { x: 0, y: 0, width: 1500, height: 1000, fill }),
  )
}
