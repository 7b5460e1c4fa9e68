import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { CopyButton } from '#web/components/copy-button.tsx'

/** The only time that these codes can be read: to be copied or saved. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join('\n')
  return (
    <div className="grid gap-5">
      <Alert tone="good">Two-step login is on. Keep these recovery codes: they are shown only now.</Alert>
      <p className="text-slate">Use each code once if you lose your phone.</p>
      <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-md bg-ice p-4">
        {codes.map((code) => (
          <li key={code} className="font-mono">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={text} />
        <a
          className="inline-flex min-h-11 items-center rounded-md border border-edge px-5 font-semibold hover:border-teal hover:text-teal"
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        >
          Save as a file
        </a>
        <Button variant="secondary" onClick={onDone}>
          I’ve saved them
        </Button>
      </div>
    </div>
  )
}
