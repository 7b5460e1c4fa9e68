import { useNavigate, useRevalidator } from 'react-router'
import { keepNext } from './kept-next.ts'
import { useNext } from './use-next.ts'

/** Goes on after signing in, with the navigation bar knowing who is there. The sign-in is no page to go back to. */
export function useEnter(): () => Promise<void> {
  const next = useNext()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  return async () => {
    keepNext('/')
    await revalidate()
    await navigate(next, { replace: true })
  }
}
