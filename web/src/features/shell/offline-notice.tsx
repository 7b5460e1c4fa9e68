import { useSyncExternalStore } from 'react'

const watch = (changed: () => void) => {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** Says that there is no connection, and what still works. */
export function OfflineNotice() {
  const online = useSyncExternalStore(
    watch,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status">
      {!online && (
        <p className="wrap border-warn border-b bg-warn-ice py-3 text-center text-warn">
          You are offline. What you see may be out of date; your cart is kept on this device.
        </p>
      )}
    </div>
  )
}
