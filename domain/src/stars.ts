/** Stars of an index: floor(6 − 2 × index), at most 5; null at 1 and above. Source: spec §9, product.md. */
export const stars = (index: number): number | null =>
  pastItsBest(index) ? null : Math.min(5, Math.floor(6 - 2 * index))

/** Shown instead of stars. Source: product.md 'Mended'. */
export const pastItsBest = (index: number): boolean => index >= 1
