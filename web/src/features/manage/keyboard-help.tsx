import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/features/account/use-hydrated.ts'

const keys = [
  ['↑ ↓', 'from a row’s button to the same one of the row above or below'],
  ['Home, End', 'to the first or last row'],
  ['Enter', 'presses a button; in an edit form, saves'],
  ['Escape', 'leaves the edit form; asks first when something was typed'],
  ['Tab', 'to the next control, as everywhere'],
] as const

/** What the keyboard does in lists, for who asks; not on what is used with a finger. */
export function KeyboardHelp() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        look="plain"
        className="pointer-coarse:hidden"
        disabled={!useHydrated()}
        onClick={() => setOpen(true)}
      >
        Keyboard
      </Button>
      <Dialog open={open} title="Keyboard" onClose={() => setOpen(false)}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          {keys.map(([key, words]) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="rounded-sm border border-edge px-1.5 py-0.5 font-mono text-sm">{key}</kbd>
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  )
}
