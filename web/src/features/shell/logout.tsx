import { signOut } from '@befaqt/domain/api/endpoints/account'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { tellOtherTabs } from '#web/api/heard-viewer.ts'
import { useHydrated } from '#web/components/hydration.tsx'
import { dropAllDrafts } from '#web/forms/draft-storage.ts'
import { menuItem } from './menu-links.tsx'
import { forgetSearches } from './recent-searches.ts'

/** Ends the session on the server and goes to the home page, loaded anew so that nothing of it stays. Source: spec §2. */
export function Logout() {
  const [failure, setFailure] = useState('')
  const leave = async () => {
    try {
      await callApi(signOut)
      dropAllDrafts()
      forgetSearches()
      tellOtherTabs('left')
      window.location.assign('/')
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <button type="button" disabled={!useHydrated()} onClick={() => void leave()} className={menuItem}>
        Logout
      </button>
      {failure && (
        <p role="alert" className="px-4 py-2 text-bad">
          Error: {failure}
        </p>
      )}
    </>
  )
}
