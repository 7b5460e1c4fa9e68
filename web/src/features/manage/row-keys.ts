import type { KeyboardEvent } from 'react'

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** Arrows, Home and End lead from a control that is marked `data-action` to the same one of another row. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const { target, currentTarget } = event
  if (!step || !(target instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return
  const action = target.dataset.action
  if (action === undefined) return
  const all = [...currentTarget.querySelectorAll<HTMLElement>(`[data-action="${action}"]`)]
  const next = all[step(all.indexOf(target), all.length - 1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}
