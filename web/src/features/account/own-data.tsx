import { copyPersonalData, eraseAccount } from '@befaqt/domain/api/endpoints/own-account'
import { callApi } from '#web/api/call-api.ts'
import { saveFile } from '#web/api/download.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { leaveNothing } from './leave.ts'

/** Saves a copy of what the shop holds of whoever is logged in. */
export async function saveCopy(): Promise<void> {
  const text = JSON.stringify(await callApi(copyPersonalData), null, 2)
  saveFile(new Blob([text], { type: 'application/json' }), 'my-data.json')
}

/** Deletes one's own account, and what it left in this browser. */
export async function erase(): Promise<void> {
  await callApi(eraseAccount)
  leaveNothing()
}

/** Asks whether the account is really to go. */
export const EraseDialog = ({ onErase, onClose }: { onErase: () => void; onClose: () => void }) => (
  <Dialog open title="Delete your account?" onClose={onClose}>
    <p>
      Your name, addresses and passkeys go at once, and nobody can bring them back. What you bought stays in
      our books without your name. The history of a box never names you.
    </p>
    <div className="mt-5 flex flex-wrap gap-3">
      <Button onClick={onErase}>Delete my account</Button>
      <Button variant="outline" onClick={onClose}>
        Keep it
      </Button>
    </div>
  </Dialog>
)
