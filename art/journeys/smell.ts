import { between, type Random } from '../drawings/random.ts'
import { rounded } from './logger.ts'

const CHANNELS = ['ammonia', 'amines', 'sulphides', 'alcohols', 'aldehydes', 'air_quality'] as const
/** Volts of each channel in clean air, and how far it rises over fish that is past its best. */
const BASE = [0.42, 0.38, 0.31, 0.55, 0.47, 0.6] as const
const RISE = [1.9, 2.3, 1.6, 1.1, 0.9, 1.4] as const
const SECONDS = 120
const STEP = 4

/** One sniff as a data file: clean air for 20 s, the fish for 60 s, clean air again; volts by channel. */
export function smellFile(score: number, random: Random): string {
  const lines = [`time_s,${CHANNELS.map((name) => `${name}_v`).join(',')}`]
  for (let second = 0; second <= SECONDS; second += STEP) {
    const volts = CHANNELS.map((_, i) => {
      const over = (BASE[i] ?? 0) + (RISE[i] ?? 0) * (0.08 + 0.92 * score) * answer(second)
      return rounded(over + between(random, -0.012, 0.012), 3).toFixed(3)
    })
    lines.push([second, ...volts].join(','))
  }
  return `${lines.join('\n')}\n`
}

/** How far a gas sensor has answered, 0 to 1: quick up, slow down. */
function answer(second: number): number {
  if (second < 20) return 0
  const up = 1 - Math.exp(-(Math.min(second, 80) - 20) / 14)
  return second <= 80 ? up : up * Math.exp(-(second - 80) / 22)
}
