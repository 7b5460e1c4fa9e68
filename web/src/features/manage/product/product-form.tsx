import type { CategoryChoice } from '@befaqt/domain/api/manage-api'
import { allergens, unitsText } from '@befaqt/domain/labelling'
import { offered, preparations } from '@befaqt/domain/preparation'
import { kiloSteps } from '@befaqt/domain/quantity'
import { preparedKinds } from '@befaqt/domain/statuses'
import type { Progress } from '#web/api/upload.ts'
import { CheckboxField, InputField, SelectField, TextAreaField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { ImagesField, usePictureForm } from '../edited-list/images-field.tsx'
import type { TypedProps } from '../edited-list/typed.tsx'
import { FailureBanner, FormActions, UploadProgress } from '../form-parts.tsx'
import { StatusField } from '../list/searched-list.tsx'
import { PlanFields } from './plan-fields.tsx'
import { allergenBox, type ProductValues, preparedFields, ProductForm as Schema } from './product-values.ts'

type Props = {
  label: string
  start: ProductValues
  categories: readonly CategoryChoice[]
  /** A product that never had a picture may be saved without. */
  needsImage: boolean
  submit?: string
  /** Another was just added: the next is typed at once. */
  isNext?: boolean | undefined
  onSave: (values: ProductValues, onProgress: Progress) => Promise<void>
  onDirty: (dirty: boolean) => void
  onCancel?: () => void
} & TypedProps

/** The form of a product, a new one's too: title, category and an image are required. Source: spec §3, §5. */
export function ProductForm({
  label,
  start,
  categories,
  needsImage,
  submit,
  isNext,
  onCancel,
  ...props
}: Props) {
  const form = usePictureForm({
    schema: Schema,
    start,
    imagesName: 'productImages',
    noImage: needsImage ? 'at least one image is required' : null,
    ...props,
  })
  return (
    <form {...form.formProps} aria-label={label} className="grid gap-4 py-2">
      {!onCancel && form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <ProductFields start={start} errors={form.errors} categories={categories} isNext={isNext} />
      <ImagesField
        label="Images"
        name="productImages"
        images={form.images}
        many
        errors={form.errors}
        lost={form.lost}
        onChange={form.setImages}
      />
      {!onCancel && form.progress !== null && <UploadProgress progress={form.progress} />}
      <FormActions ready={form.ready} busy={form.busy} save={submit} onCancel={onCancel} />
    </form>
  )
}

/** What must stand beside the fish. */
function Labelling({ start, errors }: Omit<FieldsProps, 'categories'>) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <InputField
        label="Country of origin"
        name="origin"
        defaultValue={start.origin.join(', ')}
        hint="separate several with commas"
        error={errors.origin}
      />
      <InputField
        label="Weight of one piece"
        name="pieceWeight"
        inputMode="numeric"
        defaultValue={start.pieceWeight}
        hint="approximate, in grams; 0 if it is not sold by the piece"
        error={errors.pieceWeight}
      />
      <fieldset className="sm:col-span-2">
        <legend className="font-semibold">Contains</legend>
        <div className="flex flex-wrap gap-x-6">
          {allergens.map((allergen) => (
            <CheckboxField
              key={allergen}
              label={allergen}
              name={allergenBox(allergen)}
              defaultChecked={start.allergens.includes(allergen)}
            />
          ))}
        </div>
      </fieldset>
    </div>
  )
}

/** As what whole fish can be ordered, with what is left of it and what that costs. */
function Preparing({ start, errors }: Omit<FieldsProps, 'categories'>) {
  return (
    <fieldset className="grid gap-2">
      <legend className="font-semibold">Also prepared as</legend>
      <p className="muted">
        For whole fish by the kg, or as each. It is sold and weighed whole; the yield tells shoppers what is
        left, and the fee is added to the price of one unit.
      </p>
      {errors.preparations && (
        <p className="font-semibold text-bad text-sm" role="alert">
          It {errors.preparations}.
        </p>
      )}
      {preparedKinds.map((kind) => {
        const names = preparedFields(kind)
        const { name, usualYield } = preparations[kind]
        const { yieldPercent = usualYield, feeCents = 0 } = offered(start, kind) ?? {}
        return (
          <fieldset key={kind} className="grid items-start gap-x-4 sm:grid-cols-3">
            <legend className="sr-only">{name}</legend>
            <CheckboxField
              label={name}
              name={names.kind}
              defaultChecked={offered(start, kind) !== undefined}
              className="sm:mt-7"
            />
            <InputField
              label="Yield, percent"
              name={names.yieldPercent}
              inputMode="numeric"
              defaultValue={yieldPercent}
              error={errors[names.yieldPercent]}
            />
            <InputField
              label="Fee, dollars"
              name={names.feeCents}
              inputMode="decimal"
              defaultValue={(feeCents / 100).toFixed(2)}
              error={errors[names.feeCents]}
            />
          </fieldset>
        )
      })}
    </fieldset>
  )
}

type FieldsProps = Pick<Props, 'start' | 'categories' | 'isNext'> & { errors: FieldErrors }

/** What is typed of a product. */
function ProductFields({ start, errors, categories, isNext }: FieldsProps) {
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <div className="sm:col-span-2">
          <InputField
            label="Title"
            name="title"
            defaultValue={start.title}
            autoFocus={isNext}
            error={errors.title}
          />
        </div>
        <SelectField
          label="Category"
          name="category_id"
          defaultValue={start.category_id}
          error={errors.category_id}
        >
          <option value="">Choose a category</option>
          {categories.map(({ _id, title }) => (
            <option key={_id} value={_id}>
              {title}
            </option>
          ))}
        </SelectField>
        <StatusField defaultValue={start.status} error={errors.status} />
      </div>
      <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-5">
        <InputField
          label="Price"
          name="price"
          inputMode="decimal"
          defaultValue={start.price}
          hint="dollars per unit"
          error={errors.price}
        />
        <InputField
          label="Unit"
          name="unit"
          defaultValue={start.unit}
          hint={start.stock > 0 ? `the stock of ${start.stock} counts in it` : undefined}
          error={errors.unit}
        />
        <InputField
          label="Discount"
          name="discount"
          inputMode="numeric"
          defaultValue={start.discount}
          hint="percent"
          error={errors.discount}
        />
        <InputField
          label="Stock"
          name="stock"
          inputMode="decimal"
          defaultValue={start.stock}
          error={errors.stock}
        />
        <InputField
          label="Most in an order"
          name="orderLimit"
          inputMode="numeric"
          defaultValue={start.orderLimit}
          hint="units; 0 for the shop’s limit"
          error={errors.orderLimit}
        />
        <SelectField
          label="Bought in steps of"
          name="step"
          defaultValue={start.step}
          hint="where it is sold by the kg"
          error={errors.step}
        >
          {kiloSteps.map((step) => (
            <option key={step} value={step}>
              {unitsText(step, 'kg')}
            </option>
          ))}
        </SelectField>
        <InputField
          label="Shelf position"
          name="shelfPos"
          defaultValue={start.shelfPos}
          error={errors.shelfPos}
        />
      </div>
      <CheckboxField label="Price includes GST" name="includeGST" defaultChecked={start.includeGST} />
      <Labelling start={start} errors={errors} />
      <Preparing start={start} errors={errors} />
      <PlanFields start={start.schedule} errors={errors} />
      <TextAreaField
        label="Description"
        name="description"
        rows={4}
        defaultValue={start.description}
        error={errors.description}
      />
    </>
  )
}
