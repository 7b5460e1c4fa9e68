import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { keepPolicy, keptPolicy, MAX_KEPT_POLICY } from './kept-by-browser.ts'

/** The visitor's own policy: whose signatures below the shop's log count. Kept for the checks of all boxes. */
export function PolicyField({ onChange }: { onChange: () => void }) {
  const [isKept, setIsKept] = useState(() => keptPolicy() !== null)
  const [problem, setProblem] = useState<string>()
  const keep = (policy: string | null) => {
    keepPolicy(policy)
    setIsKept(policy !== null)
    setProblem(undefined)
    onChange()
  }
  return (
    <div className="grid gap-2">
      <InputField
        label="Count the signatures of witnesses: your policy as a file (advanced)"
        type="file"
        accept=".txt,text/plain"
        error={problem}
        hint="In the format tlog-policy, from somebody whom you trust and not from this shop. It says who has to have signed the shop’s log."
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) void readPolicy(file).then(keep, (error: Error) => setProblem(error.message))
        }}
      />
      {isKept && (
        <p className="flex flex-wrap items-center gap-3 text-sm">
          This browser keeps your policy.
          <Button variant="outline" onClick={() => keep(null)}>
            Forget it
          </Button>
        </p>
      )}
    </div>
  )
}

/** The text of a policy. Rejects with what is wrong with it. */
async function readPolicy(file: File): Promise<string> {
  if (file.size > MAX_KEPT_POLICY) throw new Error('This file is too large to be a policy.')
  const [bytes, { parsePolicy }] = await Promise.all([
    file.arrayBuffer(),
    import('@befaqt/provenance/log/policy'),
  ]).catch(() => {
    throw new Error('The file could not be read. Try again.')
  })
  const policy = new Uint8Array(bytes)
  try {
    parsePolicy(policy)
    return new TextDecoder('utf-8', { fatal: true }).decode(policy)
  } catch (error) {
    const where = /^\$\[(\d+)\]: (.*)$/.exec(error instanceof Error ? error.message : '')
    throw new Error(
      where ? `This is no policy: line ${Number(where[1]) + 1} ${where[2]}.` : 'This is no policy.',
    )
  }
}
