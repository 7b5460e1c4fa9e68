import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button, buttonClass } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { rpcProblem } from './check-proof.ts'
import { keptNodes } from './own-nodes.ts'
import type { Check } from './use-check.ts'

type Props = { boxID: string; check: Check; children: ReactNode }

/**
 * Check again, also with nodes of the visitor's; download the proof, and check a downloaded one.
 * @param children what the check of a file found
 */
export function CheckControls({ boxID, check, children }: Props) {
  const [url, setUrl] = useState(() => keptNodes()[0] ?? '')
  const [second, setSecond] = useState(() => keptNodes()[1] ?? '')
  const [problems, setProblems] = useState<readonly (string | null)[]>([])
  const busy = check.shop.phase === 'checking'
  const checked = (run: (nodes: string[]) => void) => {
    const found = [url, second].map(rpcProblem)
    setProblems(found)
    if (found.every((problem) => problem === null))
      run([url, second].map((node) => node.trim()).filter((node) => node !== ''))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    checked(check.checkShop)
  }
  return (
    <form onSubmit={submit} noValidate className="grid content-start gap-5 noscript:hidden">
      <InputField
        label="Check against another ledger server (advanced)"
        type="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        error={problems[0] ?? undefined}
        hint="Any JSON-RPC node of the same chain. One on another host than the shop’s makes the check independent. Blank: the one that the shop names."
        spellCheck={false}
        autoComplete="off"
      />
      <InputField
        label="And a second one, which has to agree (optional)"
        type="url"
        value={second}
        onChange={(event) => setSecond(event.target.value)}
        error={problems[1] ?? undefined}
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
          if (file) checked((nodes) => check.checkFile(file, nodes))
        }}
      />
      {children}
    </form>
  )
}
