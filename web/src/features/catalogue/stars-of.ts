import type { ProductView } from '@befaqt/domain/catalogue'
import { freshnessWord } from '@befaqt/domain/freshness-word'
import { stars } from '@befaqt/domain/stars'

/** Stars of a freshness index; null at 1 and above, and before the first assessment. */
export const starsOfIndex = (index: number | null): number | null => (index === null ? null : stars(index))

/** Stars of the freshest box that a product comes from; null for none, and once it is past its best. @param today `YYYY-MM-DD` */
export const starsOf = ({ box }: Pick<ProductView, 'box'>, today: string): number | null =>
  box === null || freshnessWord(box, today) === 'past its best' ? null : starsOfIndex(box.freshnessIndex)
