import type { Crab } from '../crab.ts'
import type { Point } from '../geometry.ts'
import { near } from '../light.ts'
import { between, randomFrom } from '../random.ts'
import { pair } from '../solid.ts'
import { tag } from '../svg.ts'

const swimmerShell: readonly Point[] = [
  [0, -118],
  [26, -124],
  [60, -118],
  [110, -110],
  [170, -88],
  [226, -52],
  [262, -14],
  [250, 24],
  [206, 84],
  [150, 132],
  [86, 154],
  [0, 160],
]

const walking = [
  {
    joints: [
      [150, -20],
      [330, -70],
      [420, 10],
      [520, 110],
    ],
    widths: [44, 36, 26, 8],
  },
  {
    joints: [
      [158, 30],
      [340, 30],
      [420, 120],
      [496, 230],
    ],
    widths: [44, 36, 26, 8],
  },
  {
    joints: [
      [150, 80],
      [310, 130],
      [370, 222],
      [420, 330],
    ],
    widths: [42, 34, 24, 8],
  },
] satisfies Crab['legs']

const paddle = {
  joints: [
    [120, 120],
    [210, 230],
    [262, 290],
    [330, 400],
  ],
  widths: [50, 46, 44, 40],
  paddle: true,
} satisfies Crab['legs'][number]

function spots(color: string, count: number, low: number, high: number, opacity: number): string {
  const random = randomFrom(color)
  return pair(
    Array.from({ length: count }, () => {
      const [x, y] = [between(random, 0, 250), between(random, -110, 150)]
      return tag('ellipse', {
        cx: x,
        cy: y,
        rx: between(random, low, high),
        ry: between(random, low, high) * 0.75,
        fill: color,
        opacity,
        filter: near(3),
      })
    }).join(''),
  )
}

/** Mud crab, Scylla serrata: smooth, dark green-brown, nine equal teeth each side, massive claws, paddles. */
export const mudCrab: Crab = {
  shell: swimmerShell,
  teeth: { from: 0.3, to: 0.55, count: 9, size: 17 },
  skin: { fill: '#4b5a34', dark: '#151a0c', light: '#a3a860', grain: 'mottle', strength: 0.5 },
  limbs: { fill: '#5d6636', dark: '#1b1e0d', light: '#b2a860', grain: 'mottle', strength: 0.45 },
  tip: '#8a5a2c',
  legs: [paddle, ...walking],
  arm: {
    joints: [
      [150, -70],
      [310, -150],
      [372, -60],
    ],
    widths: [64, 78, 84],
  },
  claw: { at: [372, -78], turn: -34, length: 300, width: 190 },
  eyes: [60, -136],
}

/** Blue swimmer crab, Portunus armatus: blue, white-mottled, one long spine each side, long slim claws, paddles. */
export const blueSwimmerCrab: Crab = {
  ...mudCrab,
  teeth: { from: 0.32, to: 0.56, count: 9, size: 15 },
  skin: { fill: '#35618f', dark: '#101f3a', light: '#cfe2f0', grain: 'mottle', strength: 0.45 },
  limbs: { fill: '#3f6fb5', dark: '#14265a', light: '#d5e3f5', grain: 'mottle', strength: 0.35 },
  tip: '#7a2f8a',
  arm: {
    joints: [
      [150, -60],
      [380, -190],
      [420, -110],
    ],
    widths: [44, 46, 48],
  },
  claw: { at: [424, -124], turn: -40, length: 330, width: 92 },
  marks: spots('#e3eef2', 70, 5, 15, 0.55),
}

/** Spanner crab, Ranina ranina: orange-red shield, long from front to back, claws bent like a spanner. */
export const spannerCrab: Crab = {
  shell: [
    [0, -190],
    [40, -204],
    [70, -182],
    [100, -200],
    [132, -170],
    [164, -172],
    [178, -120],
    [182, -40],
    [160, 60],
    [124, 150],
    [72, 218],
    [0, 240],
  ],
  skin: { fill: '#d9582a', dark: '#6d1c08', light: '#ffb37a', grain: 'speckle', strength: 0.36 },
  limbs: { fill: '#e2703c', dark: '#7a2810', light: '#ffd2ac', grain: 'mottle', strength: 0.3 },
  tip: '#ffd9b5',
  legs: [
    {
      joints: [
        [90, 150],
        [210, 220],
        [262, 262],
        [300, 330],
      ],
      widths: [46, 42, 40, 30],
      paddle: true,
    },
    {
      joints: [
        [130, 90],
        [270, 130],
        [330, 160],
        [392, 236],
      ],
      widths: [46, 42, 38, 30],
      paddle: true,
    },
    {
      joints: [
        [150, 20],
        [300, 40],
        [370, 60],
        [446, 130],
      ],
      widths: [46, 42, 38, 30],
      paddle: true,
    },
    {
      joints: [
        [156, -50],
        [310, -50],
        [384, -40],
        [470, 20],
      ],
      widths: [46, 42, 38, 30],
      paddle: true,
    },
  ],
  arm: {
    joints: [
      [120, -140],
      [250, -230],
      [300, -290],
    ],
    widths: [70, 84, 80],
  },
  claw: { at: [296, -276], turn: -62, length: 190, width: 160, hook: 1.1 },
  marks: spots('#fff0dc', 46, 3, 6, 0.8),
  eyes: [46, -222],
}
