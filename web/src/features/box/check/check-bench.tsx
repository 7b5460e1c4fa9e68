import { CheckControls } from './check-controls.tsx'
import { CheckFindings } from './check-findings.tsx'
import { CheckSteps } from './check-steps.tsx'
import { usePageCheck } from './page-check.tsx'

/** The steps of the newest check with what it found, and what can be done. */
export default function CheckBench({ boxID }: { boxID: string }) {
  const check = usePageCheck()
  const { shop, file } = check
  return (
    <div className="grid gap-10 lg:grid-cols-2">
      <div className="grid content-start gap-6">
        <CheckSteps state={file ?? shop} />
        {file === null && <CheckFindings boxID={boxID} state={shop} />}
      </div>
      <CheckControls boxID={boxID} check={check}>
        {file && <CheckFindings boxID={boxID} state={file} />}
      </CheckControls>
    </div>
  )
}
