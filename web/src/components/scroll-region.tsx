import type { ComponentProps } from 'react'

/** A part of a page that scrolls by itself. It takes the focus, else a keyboard can't scroll it. Source: axe scrollable-region-focusable. */
export const ScrollRegion = (props: ComponentProps<'section'> & { 'aria-label': string }) => (
  <section {...FOCUSABLE} {...props} />
)

const FOCUSABLE = { tabIndex: 0 }
