import { useLocation } from 'react-router'

/** Leads to the login beside this page, so that what is typed here stays. @param then what to do afterwards */
export function LogInBeside({ then }: { then: string }) {
  const { pathname, search } = useLocation()
  return (
    <p className="mt-2">
      <a
        className="link"
        href={`/user/signin?next=${encodeURIComponent(pathname + search)}`}
        target="_blank"
        rel="noreferrer"
      >
        Log in in another tab
      </a>{' '}
      and {then}: what you typed stays here.
    </p>
  )
}
