import { cartChangeText } from '@befaqt/domain/cart-reconcile'
import { useCart } from './cart-store.ts'

/** What changed in the cart, in words, one by one. */
export function CartChanges() {
  const { changes, corrupted } = useCart()
  return (
    <ul className="grid gap-1 wrap-anywhere">
      {corrupted === 'whole' && (
        <li>Your stored cart could not be read. It was set aside, and you start with an empty one.</li>
      )}
      {corrupted === 'part' && (
        <li>Part of your stored cart could not be read and was set aside. The rest is here.</li>
      )}
      {changes.map((change) => (
        <li key={`${change.productId} ${change.kind}`}>{cartChangeText(change)}</li>
      ))}
    </ul>
  )
}
