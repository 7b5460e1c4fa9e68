import { tellOtherTabs } from '#web/api/heard-viewer.ts'
import { dropAllDrafts } from '#web/forms/draft-storage.ts'
import { forgetFinds } from '#web/forms/recent-finds.ts'
import { forgetSearches } from '#web/forms/recent-searches.ts'

/**
 * After a session, or its account, was ended by hand: forgets what its person left in this browser, has the other tabs do
 * so, and goes to the home page, loaded anew so that nothing stays on the screen.
 */
export function leaveNothing(): void {
  dropAllDrafts()
  forgetSearches()
  forgetFinds()
  tellOtherTabs('left')
  window.location.assign('/')
}
