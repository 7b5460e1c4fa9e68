import { useEffect, useRef } from 'react'

/**
 * Runs something now, or once the pressed pointer is lifted: what moves the page while a button is pressed makes
 * the press miss it.
 */
export function usePointerUpDeferral(): (work: () => void) => void {
  const pressed = useRef(false)
  useEffect(() => {
    const down = () => {
      pressed.current = true
    }
    const up = () => {
      pressed.current = false
    }
    window.addEventListener('pointerdown', down, true)
    window.addEventListener('pointerup', up, true)
    window.addEventListener('pointercancel', up, true)
    return () => {
      window.removeEventListener('pointerdown', down, true)
      window.removeEventListener('pointerup', up, true)
      window.removeEventListener('pointercancel', up, true)
    }
  }, [])
  return (work) => {
    if (!pressed.current) return work()
    window.addEventListener('pointerup', () => setTimeout(work), { once: true })
  }
}
