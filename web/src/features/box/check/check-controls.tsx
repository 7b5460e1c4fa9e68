import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { type FormEvent, useState } from 'react'
import { Button, buttonClass } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { rpcProblem } from './check-proof.ts'
import type { Check } from './use-check.ts'

type Props = { boxID: string; rpc: string; check: Check }

/** Check again, also with another node; download the proof, and check a downloaded one. */
export function CheckControls({ boxID, rpc, check }: Props) {
  const [url, setUrl] = useState(rpc)
  const [problem, setProblem] = useState<string | null>(null)
  const busy = check.shop.phase === 'checking'
  const checked = (run: () => void) => {
    const wrong = rpcProblem(url)
    setProblem(wrong)
    if (wrong === null) run()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    checked(() => check.checkShop(url))
  }
  return (
    <form onSubmit={submit} noValidate className="grid content-start gap-5 noscript:hidden">
      <InputField
        label="Check against another ledger server (advanced)"
        type="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        error={problem ?? undefined}
        hint="Any JSON-RPC node of the same chain. One that is not the shop's makes the check independent."
        spellCheck={false}
        autoComplete="off"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="secondary" aria-disabled={busy}>
          {busy ? 'Checking…' : 'Check again'}
        </Button>
        <a
          href={urlOf(readProof, { params: { boxID } })}
          download={`box-${boxID}.proof.json`}
          className={buttonClass('outline')}
        >
          Download the proof
        </a>
      </div>
      <InputField
        label="Check a saved proof file"
        type="file"
        accept=".json,application/json"
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) checked(() => check.checkFile(file, url))
        }}
      />
    </form>
  )
}
