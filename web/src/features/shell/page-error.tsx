import { useRouteError } from 'react-router'
import { ErrorScreen } from './error-screen.tsx'

/** Stands in a page's place when its loader or a part of it failed. */
export function PageError() {
  return <ErrorScreen error={useRouteError()} />
}
