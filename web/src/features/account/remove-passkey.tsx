import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'

type Props = { name: string; onRemove: () => void; onClose: () => void }

/** Asks before a passkey goes: a press alone must not take away how somebody logs in. */
export default function RemovePasskey({ name, onRemove, onClose }: Props) {
  return (
    <Dialog open title={`Remove ${name}?`} onClose={onClose}>
      <p>It will no longer log you in. To use it again, you have to add it again.</p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button onClick={onRemove}>Remove the passkey</Button>
        <Button variant="outline" onClick={onClose}>
          Keep it
        </Button>
      </div>
    </Dialog>
  )
}
