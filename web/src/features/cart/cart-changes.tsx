import { cartChangeText } from '@befaqt/domain/cart-reconcile'
import { useCart } from './cart-store.ts'

/** What changed in the cart, in words, one by one. */
export function CartChanges() {
  const { changes, corrupted } = useCart()
  return (
    <ul className="grid gap-1 wrap-anywhere">
      {corrupted === 'whole' && <li>Your saved cart could not be read, so you start with an empty one.</li>}
      {corrupted === 'part' && <li>Part of your saved cart could not be read. The rest is here.</li>}
      {changes.map((change) => (
        <li key={`${change.productId} ${change.kind}`}>{cartChangeText(change)}</li>
      ))}
    </ul>
  )
}
