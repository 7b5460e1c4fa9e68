import { CheckControls } from './check-controls.tsx'
import { CheckFindings } from './check-findings.tsx'
import { CheckSteps } from './check-steps.tsx'
import { usePageCheck } from './page-check.tsx'

/** The steps of the newest check with what it found, and what can be done. */
export default function CheckBench({ boxID, rpc }: { boxID: string; rpc: string }) {
  const check = usePageCheck()
  const state = check.file ?? check.shop
  return (
    <div className="grid gap-10 lg:grid-cols-2">
      <div className="grid content-start gap-6">
        <CheckSteps state={state} />
        <CheckFindings boxID={boxID} state={state} />
      </div>
      <CheckControls boxID={boxID} rpc={rpc} check={check} />
    </div>
  )
}
