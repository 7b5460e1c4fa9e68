import { house } from '../drawings/brand.ts'
import { between, randomFrom } from '../drawings/random.ts'
import { group, linear, path, radial, tag } from '../drawings/svg.ts'

function water(t: number): string {
  const random = randomFrom('water')
  return Array.from({ length: 90 }, () => {
    const depth = random() ** 1.6
    const y = 424 + depth * 290
    const length = 14 + depth * 120
    const x = ((between(random, -100, 1380) + t * (6 + depth * 26)) % 1480) - 100
    const warm = Math.abs(x + length / 2 - 830) < 130 + depth * 190
    const shimmer = 0.3 + 0.3 * Math.sin(t * 2.1 + x * 0.02 + y)
    return path(`M${x.toFixed(1)} ${y.toFixed(1)}q${length / 2} ${-3 - depth * 5} ${length} 0`, {
      fill: 'none',
      stroke: warm ? '#ffd9a3' : '#9fc3cb',
      'stroke-width': 1.5 + depth * 4,
      'stroke-linecap': 'round',
      opacity: warm ? shimmer + 0.25 : shimmer * 0.5,
    })
  }).join('')
}

/** A small trawler, bow to the right, water line at y = 0. */
function trawler(): string {
  const rig = 'M-20 -62V-178M-20 -176L-132 -44M-20 -172L92 -30M-20 -130L-104 -110M-104 -110L-118 -28'
  return (
    path(rig, { fill: 'none', stroke: '#0d1a21', 'stroke-width': 4 }) +
    path('M-138 -44C-120 -34 60 -28 142 -66L118 6C60 16 -90 16 -124 4Z', { fill: '#17343d' }) +
    path('M-136 -34C-110 -24 60 -18 137 -54L133 -44C60 -10 -110 -14 -134 -24Z', { fill: house.coral }) +
    path('M8 -34V-98H74L84 -44Z', { fill: '#e6efec' }) +
    path('M20 -86H46V-62H20ZM54 -86H70L75 -62H54Z', { fill: '#ffd27a' }) +
    path('M0 -98H84L78 -108H6Z', { fill: '#0f5c63' }) +
    path('M-110 -42H-62V-66H-110Z', { fill: '#2aa1a3' }) +
    path('M-58 -40H-22V-60H-58Z', { fill: '#2aa1a3' }) +
    tag('circle', { cx: -20, cy: -180, r: 6, fill: '#ffe6b8' })
  )
}

function gulls(t: number): string {
  return [
    [300, 170, 1],
    [380, 140, 0.7],
    [950, 190, 0.8],
  ]
    .map(([x = 0, y = 0, size = 1], index) => {
      const lift = Math.sin(t * 5 + index * 2) * 9 * size
      return path(
        `M${x + t * 9 - 26 * size} ${y - lift}Q${x + t * 9 - 10 * size} ${y - 12 * size} ${x + t * 9} ${y}Q${x + t * 9 + 10 * size} ${y - 12 * size} ${x + t * 9 + 26 * size} ${y - lift}`,
        { fill: 'none', stroke: '#1c3038', 'stroke-width': 3.5 * size, 'stroke-linecap': 'round' },
      )
    })
    .join('')
}

/** Dawn over a harbour, a boat coming in. `t` in seconds, also below 0. */
export function harbour(t: number): string {
  const sunY = 404 - t * 9
  const [sky, skyFill] = linear(0, 0, 0, 430, [
    [0, '#16324a'],
    [0.45, '#5d7f92'],
    [0.75, '#e9a97c'],
    [1, '#ffd9a0'],
  ])
  const [sea, seaFill] = linear(0, 415, 0, 720, [
    [0, '#d9a481'],
    [0.16, '#5d8893'],
    [0.6, '#1e4f5b'],
    [1, '#0d2c37'],
  ])
  const [glow, glowFill] = radial(830, sunY, 460, [
    [0, '#fff2cf', 0.95],
    [0.2, '#ffd08a', 0.6],
    [1, '#ffb56a', 0],
  ])
  const boat = `translate(${360 + t * 62} ${520 + Math.sin(t * 1.9) * 4}) rotate(${Math.sin(t * 1.9 + 0.8) * 1.3}) scale(1.25)`
  const wake = Array.from({ length: 5 }, (_, index) =>
    path(`M${190 + t * 62 - index * 46} ${536 + index * 7}q60 ${-6 - index} 130 0`, {
      fill: 'none',
      stroke: '#e9f3f2',
      'stroke-width': 4 - index * 0.5,
      opacity: 0.5 - index * 0.08,
      'stroke-linecap': 'round',
    }),
  )
  return (
    sky +
    sea +
    glow +
    tag('rect', { width: 1280, height: 430, fill: skyFill }) +
    tag('rect', { width: 1280, height: 430, fill: glowFill }) +
    tag('circle', { cx: 830, cy: sunY, r: 46, fill: '#fff6df' }) +
    path('M0 418V352C120 330 210 372 330 376C420 380 470 404 560 418Z', { fill: '#3c5c69' }) +
    path('M1280 418V300C1180 306 1130 346 1060 352C1010 356 970 400 900 418Z', { fill: '#2c4956' }) +
    path('M1186 302V232H1204V302ZM1180 232H1210L1204 216H1186Z', { fill: '#24404c' }) +
    tag('circle', { cx: 1195, cy: 226, r: 5 + Math.sin(t * 4) * 2, fill: '#fff1c9' }) +
    tag('rect', { y: 415, width: 1280, height: 305, fill: seaFill }) +
    water(t) +
    gulls(t) +
    wake.join('') +
    group({ transform: boat }, trawler())
  )
}
