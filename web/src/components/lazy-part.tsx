import { type ComponentType, lazy } from 'react'

/**
 * A part that is fetched when it is first shown. If that fails, a sentence is shown instead, and the rest of the page
 * works.
 */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() => load().catch(() => ({ default: NotLoaded })))

const NotLoaded = () => <p>This part could not be loaded. Reload the page.</p>
