import type { Paged } from '@befaqt/domain/api/box-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { printLabels, readLabel } from '@befaqt/domain/api/endpoints/box-page'
import { registerBox } from '@befaqt/domain/api/endpoints/managed-boxes'
import type { LedgerHealth as Health, ManagedBox } from '@befaqt/domain/api/manage-api'
import type { Registration } from '@befaqt/domain/box'
import { Link, useNavigate } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { Moment } from '#web/time/time.tsx'
import { CreatePanel, FailureBanner, FormActions } from '../form-parts.tsx'
import { columnsOf } from '../list/columns.tsx'
import { useInList } from '../list/list-beside.tsx'
import { changedColumn, RowLink } from '../list/list-table.tsx'
import { SearchedList } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { managedBoxPath } from '../paths.ts'
import { type Read, stages } from '../read.ts'
import { FisherForm } from './box-forms.ts'
import { Alerts, LedgerHealth, StageMark } from './box-state.tsx'

export type BoxesFound = { boxes: Paged<ManagedBox>; health: Health }

const filters = [
  {
    name: 'stage',
    label: 'State',
    all: 'Any state',
    choices: stages.map((stage) => [stage, stage === 'alerts' ? 'with alerts' : stage] as const),
  },
]

/** Manage Box: find a box by where it is and what is wrong, register one, see how far the ledger is. */
export function BoxScreen({ found }: { found: Read<BoxesFound> }) {
  return (
    <ManageLayout>
      <ReadResult found={found}>{(boxes) => <Boxes {...boxes} />}</ReadResult>
    </ManageLayout>
  )
}

function Boxes({ boxes, health }: BoxesFound) {
  const navigate = useNavigate()
  return (
    <>
      <CreatePanel title="Register a Box" empty={boxes.total === 0}>
        <BoxRegister onRegistered={({ boxID }) => void navigate(managedBoxPath(boxID))} />
      </CreatePanel>
      <SearchedList
        page={boxes}
        thing="box"
        things="boxes"
        hint="Box id, species or trader"
        filters={filters}
        columns={boxColumns}
        idOf={({ boxID }) => boxID}
        actions={({ boxID }) => <BoxActions boxID={boxID} />}
      />
      {boxes.rows.length > 0 && <PrintLabels boxes={boxes.rows} />}
      <div className="mt-8">
        <LedgerHealth health={health} />
      </div>
    </>
  )
}

const Name = ({ box: { boxID, recalled, offSale, sample } }: { box: ManagedBox }) => (
  <span className="flex flex-wrap items-center gap-x-3">
    <RowLink to={useInList(managedBoxPath(boxID))} className="wrap-anywhere">
      {boxID}
    </RowLink>
    {recalled && <Badge tone="bad">recalled</Badge>}
    {offSale && <Badge tone="warn">off sale</Badge>}
    {sample && <span className="muted">sample</span>}
  </span>
)

const Caught = ({ box: { caughtAt, records, pending } }: { box: ManagedBox }) => (
  <span className="text-sm">
    {caughtAt ? <Moment at={caughtAt} /> : <span className="text-slate">not caught yet</span>}
    <span className="block text-slate">
      {records} {records === 1 ? 'record' : 'records'}
      {pending > 0 && `, ${pending} not anchored`}
    </span>
  </span>
)

/** What the list of boxes shows. */
const boxColumns = columnsOf<'box', ManagedBox>('box', {
  box: { heading: 'Box', isName: true, className: 'lg:min-w-40', cell: (box) => <Name box={box} /> },
  fish: {
    heading: 'Species and trader',
    className: 'max-lg:flex-1',
    cell: ({ species, trader }) => (
      <>
        {species || 'no catch yet'}
        <span className="block muted">{trader}</span>
      </>
    ),
  },
  state: {
    heading: 'State',
    className: 'lg:whitespace-nowrap',
    cell: ({ stage }) => <StageMark stage={stage} />,
  },
  caught: { heading: 'Caught', className: 'max-sm:w-full', cell: (box) => <Caught box={box} /> },
  alerts: {
    heading: 'Products and alerts',
    className: 'max-lg:w-full',
    cell: ({ products, alerts, excursions }) => (
      <>
        <span className="block muted">
          {products.length === 0 ? 'no product' : products.map(({ title }) => title).join(', ')}
        </span>
        <Alerts alerts={alerts} excursions={excursions} />
      </>
    ),
  },
  changed: changedColumn,
})

/** What can be done about a box of the list. */
const BoxActions = ({ boxID }: Pick<ManagedBox, 'boxID'>) => (
  <a
    href={urlOf(readLabel, { params: { boxID } })}
    target="_blank"
    rel="noreferrer"
    data-action="label"
    className="link tap lg:whitespace-nowrap"
  >
    Print label<span className="sr-only"> of {boxID}</span>
  </a>
)

/** Registers a box with its fisher: the first record of its history. */
function BoxRegister({ onRegistered }: { onRegistered: (made: Registration) => void }) {
  const form = useForm(FisherForm, async (input) => {
    await callApi(registerBox, { body: input })
    form.reset()
    saved()
    onRegistered(input)
  })
  const { onChange, saved } = useKeptForm({ name: 'register', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Register a Box" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <InputField
          label="Box id"
          name="boxID"
          hint="As printed on the label. Can’t be changed later."
          error={errors.boxID}
        />
        <InputField label="Trader id" name="traderID" error={errors.traderID ?? errors['fisher.traderID']} />
        <InputField label="Fisher’s name" name="traderName" error={errors.traderName} />
        <InputField label="Company" name="companyName" error={errors.companyName} />
        <InputField label="Boat" name="boat" error={errors.boat} />
      </div>
      <TextAreaField label="Address" name="address" rows={2} error={errors.address} />
      <FormActions ready={form.ready} busy={form.busy} save="Register box" />
    </form>
  )
}

/** Labels and documents of all boxes of this page of the list. */
function PrintLabels({ boxes }: { boxes: readonly Pick<ManagedBox, 'boxID'>[] }) {
  const box = boxes.map(({ boxID }) => boxID).join(',')
  const link = 'link tap font-semibold'
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-5">
      <span>Labels and documents of these {boxes.length === 1 ? 'box' : `${boxes.length} boxes`}:</span>
      <a
        href={urlOf(printLabels, { query: { box, format: 'pdf' } })}
        target="_blank"
        rel="noreferrer"
        className={link}
      >
        A4 sheets (PDF)
      </a>
      <a href={urlOf(printLabels, { query: { box, format: 'zpl' } })} className={link} download>
        Thermal printer (ZPL)
      </a>
      <Link to={`/manage/trade?${new URLSearchParams({ box })}`} className={link}>
        EPCIS and FSMA 204
      </Link>
    </p>
  )
}
