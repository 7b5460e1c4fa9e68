import { away, closed, type Point } from './geometry.ts'
import { near } from './light.ts'
import { between, type Random } from './random.ts'
import { blob, limb, mirrored, pair, raised, type Surface, surface } from './solid.ts'
import { inside, path, tag } from './svg.ts'

/** Colours of a lobster or bug. */
type LobsterPaint = { shell: Surface; legs: Surface; band: string; horn: string }

function tailRings(paint: LobsterPaint, widths: readonly number[], top: number, step: number): string {
  return widths
    .map((half, index) => {
      const y = top + index * step
      const next = widths[index + 1] ?? half * 0.9
      const d = blob(
        mirrored([
          [0, y - 8],
          [half * 0.6, y - 4],
          [half, y + 4],
          [half * 1.1, y + step * 0.8],
          [next * 0.94, y + step * 0.9],
          [next * 0.5, y + step * 1.12],
          [0, y + step * 1.16],
        ]),
      )
      const pale = inside(
        d,
        path(`M${-half} ${y + step * 0.5}Q0 ${y + step * 0.84} ${half} ${y + step * 0.5}`, {
          fill: 'none',
          stroke: paint.band,
          'stroke-width': step * 0.2,
          opacity: 0.55,
          filter: near(5),
        }),
      )
      return raised(11, 6, surface(d, paint.shell), pale)
    })
    .reverse()
    .join('')
}

function tailFan(paint: LobsterPaint, at: Point, length: number, width: number): string {
  const lobes = [62, 32, 0, -32, -62].map((turn) => {
    const tip = away(at, 90 + turn, length * (turn === 0 ? 1 : 0.96))
    const d = closed(
      limb(
        [away(at, 90 + turn, 4), away(at, 90 + turn, length * 0.62), tip],
        [width * 0.4, width, width * 0.62],
        26,
      ),
    )
    const veins = [-0.24, -0.08, 0.08, 0.24].map((share) =>
      path(`M${at[0]} ${at[1]}L${tip[0] + (tip[1] - at[1]) * share} ${tip[1] - (tip[0] - at[0]) * share}`, {
        stroke: '#2a1408',
        'stroke-width': 2,
        opacity: 0.35,
      }),
    )
    return (
      surface(d, paint.shell) +
      inside(
        d,
        tag('circle', {
          cx: tip[0],
          cy: tip[1],
          r: length * 0.3,
          fill: paint.band,
          opacity: 0.6,
          filter: near(12),
        }),
        ...veins,
      )
    )
  })
  return raised(7, 10, ...lobes)
}

function walkingLegs(paint: LobsterPaint, reach: number): string {
  const one = Array.from({ length: 5 }, (_, index) => {
    const y = -150 + index * 58
    const turn = -34 + index * 21
    const knee = away([100, y], turn, reach)
    const foot = away(knee, turn + 42, reach * 0.95)
    return (
      surface(closed(limb([[90, y], knee], [30, 26], 14)), paint.legs) +
      surface(closed(limb([knee, foot], [24, 7], 14)), paint.legs)
    )
  })
  return raised(7, 12, pair(one.join('')))
}

function spines(random: Random, horn: string): string {
  return pair(
    Array.from({ length: 34 }, () => {
      const [x, y] = [between(random, 4, 118), between(random, -250, 60)]
      const size = between(random, 8, 17)
      return path(
        `M${x - size * 0.4} ${y}L${x + size * 0.2} ${y - size * 1.3}L${x + size * 0.5} ${y + size * 0.2}Z`,
        { fill: horn, stroke: '#2a120a', 'stroke-width': 1 },
      )
    }).join(''),
  )
}

/** Eastern rock lobster from above, head upwards, some 1200 long with its tail, feelers apart. */
export function rockLobster(paint: LobsterPaint, random: Random): string {
  const shell = blob(
    mirrored([
      [0, -300],
      [30, -316],
      [62, -286],
      [96, -230],
      [124, -150],
      [136, -40],
      [128, 50],
      [96, 92],
      [0, 104],
    ]),
  )
  const feelers = pair(
    surface(
      closed(
        limb(
          [
            [60, -270],
            [96, -350],
            [150, -430],
          ],
          [58, 50, 38],
          20,
        ),
      ),
      paint.shell,
    ) +
      surface(
        closed(
          limb(
            [
              [150, -430],
              [250, -620],
              [300, -860],
              [250, -1080],
            ],
            [34, 24, 14, 4],
            40,
          ),
        ),
        paint.shell,
      ) +
      path('M24 -300Q40 -380 20 -440M34 -300Q70 -390 84 -430', {
        fill: 'none',
        stroke: paint.horn,
        'stroke-width': 7,
      }),
  )
  const eyes = pair(
    tag('circle', { cx: 52, cy: -312, r: 17, fill: '#0d0b0b' }) +
      tag('circle', { cx: 46, cy: -319, r: 5, fill: '#fff' }),
  )
  return (
    raised(7, 12, feelers) +
    walkingLegs(paint, 160) +
    tailFan(paint, [0, 500], 190, 110) +
    tailRings(paint, [122, 118, 112, 104, 94, 82], 92, 70) +
    raised(
      40,
      20,
      surface(shell, paint.shell),
      inside(
        shell,
        path('M-120 -30Q0 70 120 -30', {
          fill: 'none',
          stroke: '#000',
          'stroke-width': 12,
          opacity: 0.5,
          filter: near(5),
        }),
      ),
      spines(random, paint.horn),
      pair(path('M40 -282l26 -84l22 70z', { fill: paint.horn, stroke: '#2a120a', 'stroke-width': 2 })),
    ) +
    eyes
  )
}

/** Balmain bug from above: broad shell, shovel-shaped feelers in front, short tail. */
export function bug(paint: LobsterPaint, random: Random): string {
  const shell = blob(
    mirrored([
      [0, -150],
      [60, -160],
      [140, -168],
      [212, -150],
      [236, -84],
      [226, 0],
      [186, 84],
      [130, 116],
      [0, 124],
    ]),
  )
  const shovels = pair(
    surface(
      blob([
        [6, -152],
        [20, -220],
        [70, -252],
        [120, -236],
        [150, -206],
        [140, -160],
        [80, -146],
      ]),
      paint.shell,
    ) +
      surface(
        blob([
          [96, -150],
          [140, -236],
          [200, -246],
          [236, -206],
          [240, -150],
          [200, -136],
        ]),
        paint.shell,
      ),
  )
  const bumps = pair(
    Array.from({ length: 60 }, () =>
      tag('circle', {
        cx: between(random, 2, 200),
        cy: between(random, -140, 100),
        r: between(random, 2.5, 6),
        fill: paint.band,
        opacity: 0.6,
      }),
    ).join(''),
  )
  const teeth = pair(
    Array.from({ length: 7 }, (_, step) =>
      path(`M${228 - step * 6} ${-110 + step * 28}l26 -8l-20 22z`, {
        fill: paint.shell.fill,
        stroke: '#2a120a',
        'stroke-width': 1.5,
      }),
    ).join(''),
  )
  const ridge = inside(
    shell,
    path('M0 -150V120', { stroke: '#fff0dc', 'stroke-width': 14, opacity: 0.3, filter: near(5) }),
    pair(
      path('M90 -150Q120 -20 80 116M0 -30Q80 -50 200 -40', {
        fill: 'none',
        stroke: '#000',
        'stroke-width': 10,
        opacity: 0.4,
        filter: near(5),
      }),
    ),
  )
  const eyes = pair(
    tag('circle', { cx: 128, cy: -156, r: 15, fill: '#0d0b0b' }) +
      tag('circle', { cx: 123, cy: -162, r: 5, fill: '#fff' }),
  )
  return (
    walkingLegs(paint, 128) +
    tailFan(paint, [0, 392], 130, 96) +
    tailRings(paint, [168, 156, 140, 122, 104], 110, 56) +
    raised(17, 14, shovels) +
    raised(40, 20, teeth, surface(shell, paint.shell), ridge, bumps) +
    eyes
  )
}

export const easternRockLobster: LobsterPaint = {
  shell: { fill: '#6d4a2a', dark: '#1f2a12', light: '#c99a5a', grain: 'mottle', strength: 0.5 },
  legs: { fill: '#96602f', dark: '#3a1c0c', light: '#e3b070', grain: 'mottle', strength: 0.4 },
  band: '#d9a05c',
  horn: '#d97b36',
}

export const cookedLobster: LobsterPaint = {
  shell: { fill: '#d8431f', dark: '#6d1206', light: '#ffb080', grain: 'mottle', strength: 0.32 },
  legs: { fill: '#e25a2c', dark: '#7a1c0a', light: '#ffc49a', grain: 'mottle', strength: 0.3 },
  band: '#ffb27a',
  horn: '#f07a3c',
}

export const balmainBug: LobsterPaint = {
  shell: { fill: '#9c5030', dark: '#3a140a', light: '#e8a878', grain: 'speckle', strength: 0.4 },
  legs: { fill: '#c98a58', dark: '#5c2c14', light: '#f2cfa5', grain: 'mottle', strength: 0.35 },
  band: '#e9b48a',
  horn: '#b5562e',
}
