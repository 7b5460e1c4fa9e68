import { readViewer } from '@befaqt/domain/api/endpoints/shop'
import { useEffect, useLayoutEffect } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { hearOtherTabs, hearViewer } from '#web/api/heard-viewer.ts'
import { dropAllDrafts } from '#web/forms/draft-storage.ts'
import { useRootData } from '#web/root-data.ts'

/** Asks who is logged in when the visitor comes back to this tab; without an answer all stays as it is. */
async function lookWhenVisible(): Promise<void> {
  if (document.visibilityState === 'visible' && navigator.onLine) await look()
}

async function look(): Promise<void> {
  const viewer = await callApi(readViewer).catch(() => undefined)
  if (viewer !== undefined) hearViewer({ viewer })
}

/** Pages of whoever is logged in: what they show, or have taken from the account, is nobody else's. */
const PERSONAL = /^\/(manage|station|checkout|user)(\/|$)/

/** A page that is loaded anew shows nothing of who logged out; one with something unsaved stays, and only the bar says it. */
function leave(): void {
  const isSaved = window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  if (isSaved) dropAllDrafts()
  if (isSaved && PERSONAL.test(window.location.pathname)) window.location.reload()
  else void look()
}

/**
 * Keeps the navigation bar right about who is logged in while other tabs, or time, change that. What the page has read
 * anew is newer than what was heard.
 */
export function ViewerKeeper() {
  const root = useRootData()
  useLayoutEffect(() => {
    if (root) hearViewer(null)
  }, [root])
  useEffect(() => {
    const comeBack = () => void lookWhenVisible()
    const stopHearing = hearOtherTabs((told) => (told === 'left' ? leave() : void look()))
    document.addEventListener('visibilitychange', comeBack)
    return () => {
      document.removeEventListener('visibilitychange', comeBack)
      stopHearing()
    }
  }, [])
  return null
}
