import { useState } from 'react'
import { Button } from './button.tsx'

const labels = { idle: 'Copy', copied: 'Copied', refused: 'Please copy it by hand' } as const

/** Puts `text` on the clipboard and says so; a browser may refuse, and does on an address without TLS. */
export function CopyButton({ text }: { text: string }) {
  const [state, setState] = useState<keyof typeof labels>('idle')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('refused')
    }
  }
  return (
    <>
      <Button variant="outline" onClick={() => void copy()}>
        {labels[state]}
      </Button>
      <span role="status" className="sr-only">
        {state !== 'idle' && labels[state]}
      </span>
    </>
  )
}
