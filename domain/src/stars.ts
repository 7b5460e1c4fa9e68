/** floor(`from` − `per` × index), at most `most`. Source: spec §9. */
export const STARS = { from: 6, per: 2, most: 5 } as const

/** Stars of an index; null at 1 and above. Source: spec §9, product.md. */
export const stars = (index: number): number | null =>
  pastItsBest(index) ? null : Math.min(STARS.most, Math.floor(STARS.from - STARS.per * index))

/** Shown instead of stars. Source: product.md 'Mended'. */
export const pastItsBest = (index: number): boolean => index >= 1
