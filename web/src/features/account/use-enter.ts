import { useNavigate, useRevalidator, useSearchParams } from 'react-router'
import { safeNext } from './safe-next.ts'

/** Goes on after signing in, with the navigation bar knowing who is there. */
export function useEnter(): () => Promise<void> {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  return async () => {
    await revalidate()
    await navigate(safeNext(search.get('next')))
  }
}
