import { useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { HydrationBoundary } from '#web/components/hydration.tsx'
import { useEarlyTap } from '#web/features/cart/early-tap.ts'

function Counter() {
  const [count, setCount] = useState(0)
  return (
    <button type="button" {...useEarlyTap('counter', () => setCount((before) => before + 1))}>
      {count}
    </button>
  )
}

const page = (
  <HydrationBoundary>
    <Counter />
  </HydrationBoundary>
)

/**
 * A button as the server sends it. Presses are noted as by entry-start.ts; by then React has the page and not yet this
 * part of it.
 */
export function showEarlyTap(root: Element): void {
  root.innerHTML = renderToString(page)
  globalThis.earlyTaps = new Map()
  document.addEventListener(
    'click',
    ({ target, timeStamp }) => {
      const name = target instanceof HTMLElement ? target.dataset.early : undefined
      if (name) globalThis.earlyTaps?.set(name, timeStamp)
    },
    { capture: true },
  )
  root.querySelector('button')?.addEventListener('focus', () => hydrateRoot(root, page), { once: true })
}
