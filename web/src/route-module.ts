import type { ComponentType } from 'react'
import type { LoaderFunction, ShouldRevalidateFunction } from 'react-router'

/** What a file under routes/ exports. */
export type RouteModule = {
  default: ComponentType
  loader?: LoaderFunction
  ErrorBoundary?: ComponentType
  shouldRevalidate?: ShouldRevalidateFunction
}
