import type { ComponentType } from 'react'
import type { LoaderFunction, ShouldRevalidateFunction } from 'react-router'
import type { Describe } from './head/head-tags.ts'

/** What a file under routes/ exports. `head` describes the page to search engines and link previews. */
export type RouteModule = {
  default: ComponentType
  loader?: LoaderFunction
  head?: Describe<never>
  ErrorBoundary?: ComponentType
  shouldRevalidate?: ShouldRevalidateFunction
}

/** What the document reads of a matched route. */
export type RouteHandle = { head?: Describe<never>; waitsForData: boolean }
