import { type ComponentType, lazy } from 'react'

/** A part that is fetched when it is first shown. Where that fails a sentence stands in its place, and the page lives on. */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() => load().catch(() => ({ default: NotLoaded })))

const NotLoaded = () => <p>This part could not be loaded. Reload the page.</p>
