import { guessColumns } from '@befaqt/domain/device-formats/guess-columns'
import type { ColumnMap, NamedColumnMap } from '@befaqt/domain/device-formats/logger-file'
import { type ReactNode, useState } from 'react'
import { InputField, SelectField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { FormActions } from '../../form-parts.tsx'
import { Columns } from './csv.ts'
import type { OpenFile } from './use-logger-file.ts'

type Props = {
  file: OpenFile
  /** Saved maps that fit this file. */
  fitting: readonly NamedColumnMap[]
  onTry: (columns: Columns) => Promise<void>
  onChange: () => void
  onClose: () => void
}

/** How the columns of a file are read: saved before, or guessed from the file, to be looked over. */
export function ColumnsForm({ file, fitting, ...rest }: Props) {
  const zone = useMarketZone()
  const [chosen, setChosen] = useState<string>(fitting[0]?.name ?? '')
  const named = fitting.find(({ name }) => name === chosen)
  const start = named?.map ?? guessColumns(file.preview, zone)
  return (
    <div className="grid gap-4">
      {fitting.length > 0 && (
        <SelectField
          label="Remembered columns"
          value={named?.name ?? ''}
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.value)
            rest.onChange()
          }}
          hint="Those that were used before for a file with these headings"
        >
          {fitting.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
          <option value="">none: guess from the file</option>
        </SelectField>
      )}
      <Fields key={chosen} file={file} start={start} name={named?.name ?? ''} {...rest} />
    </div>
  )
}

type FieldsProps = Omit<Props, 'fitting'> & { start: ColumnMap; name: string }

function Fields({ file, start, name, onTry, onChange, onClose }: FieldsProps) {
  const { delimiter, headerLine, headings } = file.preview
  const form = useForm(Columns, onTry, { delimiter, headerLine })
  const { errors } = form
  const found = [...new Set(headings)].filter((heading) => heading !== '')
  const column = (
    key: 'time' | 'date' | 'value' | 'serial',
    label: string,
    none: string,
    hint?: ReactNode,
  ) => (
    <SelectField label={label} name={key} defaultValue={start[key]} error={errors[key]} hint={hint}>
      <option value="">{none}</option>
      {found.map((heading) => (
        <option key={heading}>{heading}</option>
      ))}
    </SelectField>
  )
  return (
    <form
      {...form.formProps}
      onChange={onChange}
      aria-label="Columns of the file"
      className="grid gap-4"
      autoComplete="off"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {column('time', 'Time', 'choose a column')}
        {column('date', 'Day', 'in the time column', 'If the day has its own column')}
        <SelectField
          label="Format of the day"
          name="order"
          defaultValue={start.order}
          hint="Check below how the first lines are read"
          error={errors.order}
        >
          <option value="dmy">day, month, year</option>
          <option value="mdy">month, day, year</option>
          <option value="ymd">year, month, day</option>
        </SelectField>
        <InputField
          label="Time zone of the logger"
          name="zone"
          list="zones"
          defaultValue={start.zone}
          hint="Like UTC or Australia/Sydney; not used for times that include their own"
          error={errors.zone}
        />
        {column('value', 'Temperature', 'choose a column')}
        <div className="grid grid-cols-2 items-start gap-4">
          <SelectField label="Unit" name="unit" defaultValue={start.unit} error={errors.unit}>
            <option value="C">°C</option>
            <option value="F">°F</option>
          </SelectField>
          <SelectField label="Decimals" name="decimal" defaultValue={start.decimal} error={errors.decimal}>
            <option value=".">1.5</option>
            <option value=",">1,5</option>
          </SelectField>
        </div>
        {column('serial', 'Serial number of the logger', 'not in a column')}
        <InputField
          label="Or its number, typed"
          name="iotID"
          hint="As it is written on the logger"
          error={errors.iotID}
        />
        <InputField
          label="Remember these columns as (optional)"
          name="name"
          defaultValue={name}
          hint="Offered for the next file with these headings, once this one is imported"
          error={errors.name}
        />
      </div>
      <datalist id="zones">
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <FormActions
        ready={form.ready}
        busy={form.busy}
        save="Try it"
        onCancel={onClose}
        cancel="Another file"
      />
    </form>
  )
}
