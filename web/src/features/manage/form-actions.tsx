import { Button } from '#web/components/button.tsx'

type Props = { ready: boolean; busy: boolean; save?: string | undefined; onCancel?: (() => void) | undefined }

/** Save and Cancel below a form. */
export function FormActions({ ready, busy, save = 'Save', onCancel }: Props) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" look="main" disabled={!ready} aria-busy={busy}>
        {busy ? 'One moment…' : save}
      </Button>
      {onCancel && (
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  )
}
