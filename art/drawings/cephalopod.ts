import { eye } from './fish-head.ts'
import { away, closed, mix, type Point, smooth } from './geometry.ts'
import { near } from './light.ts'
import { between, type Random } from './random.ts'
import { blob, limb, mirrored, raised, type Surface, surface, widthAt } from './solid.ts'
import { inside, path, tag } from './svg.ts'

/** A squid: half widths of its body from tip to head, fins, colours and spots. Lies with its tip to the left. */
export type Squid = {
  body: readonly Point[]
  fin: readonly Point[]
  skin: Surface
  finSkin: Surface
  spot: string
  spots: number
  stripes?: boolean
  iris: string
  arms: readonly number[]
}

const lying = (half: readonly Point[]): Point[] =>
  mirrored(half.map(([along, across]): Point => [across, along])).map(([x, y]): Point => [y, x])

/** Freckles: colour cells over the back, denser along the middle. */
function freckles(random: Random, spec: Squid, from: number, to: number, height: number): string {
  return Array.from({ length: spec.spots }, () => {
    const x = between(random, from, to)
    const y = (random() + random() - 1) * height
    const r = between(random, 2, 6.5)
    return tag('ellipse', {
      cx: x,
      cy: y,
      rx: r * 1.2,
      ry: r,
      fill: spec.spot,
      opacity: between(random, 0.35, 0.8),
    })
  }).join('')
}

const zebra = (random: Random): string =>
  Array.from({ length: 26 }, (_, index) => {
    const x = 60 + index * 25
    const sway = between(random, -14, 14)
    return path(`M${x} -190Q${x + sway} -60 ${x - sway} 0T${x + sway * 0.6} 190`, {
      fill: 'none',
      stroke: index % 2 === 0 ? '#4a2a1e' : '#f3e4cd',
      'stroke-width': between(random, 5, 11),
      opacity: 0.5,
      filter: near(2),
    })
  }).join('')

/** One arm with its two rows of suckers along the lower edge. */
export function arm(
  through: readonly Point[],
  widths: readonly number[],
  skin: Surface,
  suckers: number,
): string {
  const shape = closed(limb(through, widths, 60))
  const middle = smooth(through, suckers + 2)
  const rows = middle.slice(1, -1).map((point, index) => {
    const after = middle[index + 2] ?? point
    const width = widthAt(widths, (index + 1) / (suckers + 1))
    const turn = (Math.atan2(after[1] - point[1], after[0] - point[0]) * 180) / Math.PI
    const at = away(point, turn + 90, width * 0.26)
    const r = Math.max(1.6, width * 0.17)
    return (
      tag('circle', {
        cx: at[0],
        cy: at[1],
        r,
        fill: '#fdf0e4',
        stroke: '#7a4a40',
        'stroke-width': r * 0.24,
      }) + tag('circle', { cx: at[0], cy: at[1], r: r * 0.42, fill: '#a8746a' })
    )
  })
  return surface(shape, skin) + inside(shape, ...rows)
}

/** Draws a squid or cuttlefish, tip at (0, 0), some 1100 long. */
export function squid(spec: Squid, random: Random): string {
  const body = blob(lying(spec.body), 160)
  const end = spec.body.at(-1)?.[0] ?? 640
  const fins = blob(lying(spec.fin), 160)
  const arms = spec.arms.map((length, index) => {
    const spread = (index - (spec.arms.length - 1) / 2) / spec.arms.length
    const root: Point = [end + 110, spread * 76]
    const through: Point[] = [
      root,
      [root[0] + length * 0.4, spread * 150 + between(random, -14, 14)],
      [root[0] + length * 0.75, spread * 260 + between(random, -22, 22)],
      [root[0] + length, spread * 300 + between(random, -40, 40)],
    ]
    const club = length > 380
    return arm(through, club ? [20, 14, 13, 34, 6] : [38, 30, 20, 5], spec.skin, 16)
  })
  const head = blob([
    [end - 40, -66],
    [end + 30, -84],
    [end + 110, -70],
    [end + 160, -30],
    [end + 160, 30],
    [end + 110, 70],
    [end + 30, 84],
    [end - 40, 66],
  ])
  return (
    raised(7, 14, ...arms) +
    raised(7, 14, surface(fins, spec.finSkin), inside(fins, freckles(random, spec, 0, end, 170))) +
    raised(17, 10, surface(head, spec.skin), inside(head, freckles(random, spec, end - 30, end + 150, 80))) +
    eye([end + 62, 46], 27, spec.iris) +
    raised(
      40,
      16,
      surface(body, spec.skin),
      inside(
        body,
        spec.stripes ? zebra(random) : '',
        freckles(random, spec, 10, end, 150),
        path(body, { fill: 'none', stroke: '#fff', 'stroke-width': 30, opacity: 0.25, filter: near(12) }),
      ),
    ) +
    tag('ellipse', {
      cx: end * 0.52,
      cy: -(spec.body[3]?.[1] ?? 90) * 0.42,
      rx: end * 0.3,
      ry: 9,
      fill: '#fff',
      opacity: 0.65,
      filter: near(5),
    })
  )
}

const octopusSkin: Surface = {
  fill: '#a85a48',
  dark: '#4a1c18',
  light: '#f0b8a0',
  grain: 'mottle',
  strength: 0.42,
}

/** An octopus: head to the upper left of its eight curling arms, some 1000 across. */
export function octopus(random: Random): string {
  const arms = Array.from({ length: 8 }, (_, index) => {
    const turn = -42 + index * 31
    const bendBy = (index < 4 ? -1 : 1) * between(random, 26, 44)
    const through: Point[] = [[0, 0]]
    let [at, heading]: [Point, number] = [[0, 0], turn]
    for (let step = 0; step < 9; step++) {
      at = away(at, heading, mix(84, 34, step / 8))
      heading += bendBy * (step < 3 ? -0.35 : step < 5 ? 0.7 : 1.35)
      through.push(at)
    }
    return arm(through, [104, 84, 62, 44, 28, 8], octopusSkin, 34)
  })
  const web = blob([
    [-90, -70],
    [10, -104],
    [106, -50],
    [118, 50],
    [50, 112],
    [-60, 96],
    [-112, 20],
  ])
  const head = blob([
    [30, 40],
    [-40, 50],
    [-120, -4],
    [-230, -40],
    [-330, -130],
    [-340, -240],
    [-250, -300],
    [-130, -270],
    [-50, -170],
    [20, -80],
  ])
  return (
    raised(11, 18, ...arms) +
    raised(17, 6, surface(web, octopusSkin)) +
    raised(40, 20, surface(head, octopusSkin), inside(head, freckleCloud(random))) +
    eye([-52, -66], 24, '#d8b04a', '#3a1612') +
    tag('ellipse', {
      cx: -232,
      cy: -214,
      rx: 56,
      ry: 16,
      fill: '#fff',
      opacity: 0.55,
      filter: near(5),
      transform: 'rotate(-34 -232 -214)',
    })
  )
}

const freckleCloud = (random: Random): string =>
  Array.from({ length: 90 }, () =>
    tag('circle', {
      cx: between(random, -340, 30),
      cy: between(random, -300, 40),
      r: between(random, 2, 6),
      fill: '#fbd9c0',
      opacity: 0.4,
    }),
  ).join('')

const pale: Surface = { fill: '#f0e2da', dark: '#a8786a', light: '#ffffff', grain: 'cloud', strength: 0.3 }

/** Southern calamari, Sepioteuthis australis: fins along nearly the whole body make a diamond. */
export const southernCalamari: Squid = {
  body: [
    [0, 0],
    [30, 34],
    [120, 74],
    [280, 104],
    [460, 108],
    [580, 92],
    [640, 80],
  ],
  fin: [
    [-16, 0],
    [10, 40],
    [110, 130],
    [280, 216],
    [430, 190],
    [560, 118],
    [610, 60],
  ],
  skin: pale,
  finSkin: { ...pale, fill: '#f7efe9' },
  spot: '#a8502f',
  spots: 260,
  iris: '#7fb8a8',
  arms: [240, 260, 470, 270, 280, 260, 490, 250],
}

const ruddy: Surface = { fill: '#b8604a', dark: '#5c1c14', light: '#f6c4ae', grain: 'mottle', strength: 0.4 }

/** Arrow squid, Nototodarus gouldi: slim, red-brown, an arrowhead of fins at the tip only. */
export const arrowSquid: Squid = {
  body: [
    [0, 0],
    [40, 24],
    [150, 60],
    [320, 80],
    [500, 86],
    [640, 82],
    [690, 74],
  ],
  fin: [
    [-20, 0],
    [30, 60],
    [120, 150],
    [190, 190],
    [240, 140],
    [280, 74],
    [300, 20],
  ],
  skin: ruddy,
  finSkin: { ...ruddy, fill: '#c87a62' },
  spot: '#6d1f18',
  spots: 200,
  iris: '#cfd8d4',
  arms: [200, 220, 430, 230, 240, 220, 440, 210],
}

const brown: Surface = { fill: '#c2a07e', dark: '#4d2c1c', light: '#fff0dc', grain: 'mottle', strength: 0.35 }

/** Giant cuttlefish, Sepia apama: broad oval with fine stripes and a narrow frill all round. */
export const giantCuttlefish: Squid = {
  body: [
    [0, 0],
    [24, 70],
    [110, 140],
    [260, 176],
    [430, 180],
    [570, 152],
    [660, 108],
  ],
  fin: [
    [-28, 0],
    [-4, 96],
    [100, 184],
    [260, 224],
    [440, 226],
    [600, 190],
    [668, 116],
  ],
  skin: brown,
  finSkin: { ...brown, fill: '#e2cfb4' },
  spot: '#5c3420',
  spots: 160,
  stripes: true,
  iris: '#e2c25c',
  arms: [190, 210, 220, 230, 230, 220, 210, 190],
}
