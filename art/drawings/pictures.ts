import type { Random } from './random.ts'

/** Pictures by slug: each draws what lies on the 1500×1000 counter. */
export type Pictures = Record<string, (random: Random) => string>
