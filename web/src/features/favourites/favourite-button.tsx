import type { Favourite } from '@befaqt/domain/favourites'
import { useEarlyTap } from '#web/features/cart/early-tap.ts'
import { shown, useIsFavourite } from './shown-favourites.ts'

/**
 * What a toggle of a product needs: it does what it shows. It is not pressed until the browser's storage was read, and then
 * where it stands. What it takes is fetched when it is pressed.
 */
export function useToggle(product: Favourite) {
  const isKept = useIsFavourite(product._id)
  const toggle = () =>
    void import('./keep-favourites.ts').then(
      ({ keepFavourite }) => keepFavourite(product, !isKept),
      () => shown.set({ problem: 'Try again.' }),
    )
  return { type: 'button', 'aria-pressed': isKept, ...useEarlyTap(`heart ${product._id}`, toggle) } as const
}

/** The heart on a card's picture. */
export const CardHeart = ({ product }: { product: Favourite }) => (
  <button
    {...useToggle(product)}
    aria-label={`Favourite: ${product.title}`}
    className="heart no-print absolute top-1 right-1 z-10 grid size-11 place-items-center rounded-full bg-surface/85 text-teal hover:bg-surface data-tapped:opacity-70 noscript:hidden"
  />
)
