import type { Site } from '@befaqt/domain/api/site-api'
import { CheckControls } from './check-controls.tsx'
import { CheckFindings } from './check-findings.tsx'
import { CheckSteps } from './check-steps.tsx'
import { LedgerWords } from './ledger-words.tsx'
import { usePageCheck } from './page-check.tsx'
import { Panel } from './panel.tsx'

type Props = { boxID: string; chain: Site['chain'] }

/** The proof, step by step, for who wants it: done by the visitor's own browser. */
export function CheckPanel({ boxID, chain }: Props) {
  const check = usePageCheck()
  return (
    <Panel title="Check it yourself" id="check">
      <p className="mb-6 max-w-2xl">
        You need not trust this shop. Your browser takes the records of this box, recomputes every fingerprint
        and compares them with what a public ledger has kept since. The shop can't change what is written
        there.
      </p>
      <div className="grid gap-10 lg:grid-cols-2 noscript:hidden">
        <div className="grid content-start gap-6">
          <CheckSteps state={check.file ?? check.shop} />
          <CheckFindings state={check.file ?? check.shop} />
        </div>
        <CheckControls boxID={boxID} rpc={chain.rpc} check={check} />
      </div>
      <WithCommand boxID={boxID} />
      <LedgerWords chain={chain} />
    </Panel>
  )
}

function WithCommand({ boxID }: { boxID: string }) {
  return (
    <div className="mt-8 max-w-2xl">
      <h3 className="text-xl">With a command</h3>
      <p className="mt-2">
        Download{' '}
        <a
          className="link"
          href={`/api/box/${encodeURIComponent(boxID)}/proof`}
          download={`box-${boxID}.proof.json`}
        >
          box-{boxID}.proof.json
        </a>{' '}
        and, in a copy of the source code, run
      </p>
      <pre className="mt-3 whitespace-pre-wrap break-all rounded-md bg-ice p-4 font-mono text-sm">
        npm run -s box:verify -- box-{boxID}.proof.json
      </pre>
      <p className="mt-3 text-slate text-sm">
        It talks to no server but the node that you name with <code className="font-mono">--rpc</code>.
      </p>
    </div>
  )
}
