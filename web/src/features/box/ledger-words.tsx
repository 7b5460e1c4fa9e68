import type { Site } from '@befaqt/domain/api/site-api'

/** What a ledger can and cannot tell, in a shopper's words. Source: protocol §7. */
export function LedgerWords({ chain }: { chain: Site['chain'] }) {
  return (
    <div className="mt-10 grid max-w-4xl gap-8 md:grid-cols-2">
      <div>
        <h3 className="text-xl">What this proves</h3>
        <p className="mt-2">
          That no record has changed since the time that the ledger gives for it, and that none was taken
          away.
        </p>
      </div>
      <div>
        <h3 className="text-xl">What it does not prove</h3>
        <p className="mt-2">
          That a record was true when it was made. A thermometer can be wrong and a person can be mistaken, so
          every value on this page says whether it was measured, declared or computed.
        </p>
      </div>
      {chain.embedded && (
        <p className="border-warn border-l-4 bg-warn-ice px-4 py-3 md:col-span-2">
          This site runs on a development chain that lives on the same machine as the shop. It shows how the
          check works, but it is no independent witness.
        </p>
      )}
      <p className="text-slate text-sm md:col-span-2">
        Chain {chain.chainId}
        {chain.contract && (
          <>
            , contract <code className="break-all font-mono">{chain.contract}</code>
          </>
        )}
      </p>
    </div>
  )
}
