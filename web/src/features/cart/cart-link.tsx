import { cartCount } from '@befaqt/domain/cart'
import { NavLink } from 'react-router'
import { Icon } from '#web/components/icon.tsx'
import { useCart } from './use-cart.ts'

/** The way to the cart, with the number of units in it when there are any. Source: spec §2. */
export function CartLink() {
  const count = cartCount(useCart().lines)
  return (
    <NavLink
      to="/cart"
      aria-label={count > 0 ? `Cart, ${count} in it` : 'Cart'}
      className="relative grid size-11 place-items-center rounded-md hover:bg-on-night/10 aria-[current=page]:text-lamp"
    >
      <Icon name="cart" />
      {count > 0 && (
        <span className="absolute top-0 right-0 min-w-5 rounded-[10px] bg-lamp px-1 text-center font-bold text-night-deep text-xs leading-5">
          {count > 999 ? '999+' : count}
        </span>
      )}
    </NavLink>
  )
}
