import type { Box } from '@befaqt/domain/box'
import { Fact, Facts } from './description-list.tsx'
import { Panel } from './panel.tsx'

/** Who caught the fish. Source: spec §2. */
export function FisherPanel({ fisher, sample }: { fisher: Box['fisher']; sample: boolean }) {
  return (
    <Panel title="Fisher">
      <Facts>
        <Fact name="ID" origin="declared">
          {fisher.traderID}
        </Fact>
        <Fact name="Name" origin="declared">
          {fisher.traderName}
        </Fact>
        <Fact name="Company" origin="declared">
          {fisher.companyName}
        </Fact>
        <Fact name="Boat" origin="declared">
          {fisher.boat}
        </Fact>
        <Fact name="Address" origin="declared">
          {fisher.address}
        </Fact>
      </Facts>
      {sample && <p className="mt-4 text-slate text-sm">Sample: this trader and this boat are invented.</p>}
    </Panel>
  )
}
