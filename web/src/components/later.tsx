import { type ReactNode, Suspense } from 'react'

/**
 * A part of the page that the browser takes over after the rest, in a step of its own. Until then it shows what the
 * server drew; a press on it makes it the next.
 */
export const Later = ({ children }: { children: ReactNode }) => <Suspense>{children}</Suspense>
