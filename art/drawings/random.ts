/** Numbers in [0, 1) that are the same on every run for the same seed (mulberry32). */
export type Random = () => number

/** A repeatable source of numbers, so that redrawing changes nothing that was not changed. */
export function randomFrom(seed: string): Random {
  let state = [...seed].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619),
    2_166_136_261,
  )
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A number between `low` and `high`. */
export const between = (random: Random, low: number, high: number): number => low + (high - low) * random()
