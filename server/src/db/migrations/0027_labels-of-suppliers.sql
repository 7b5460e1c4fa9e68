CREATE TABLE "supplier_labels" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"prefix" text NOT NULL,
	"digits" integer NOT NULL,
	"first" integer NOT NULL,
	"last" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "field_entries" DROP CONSTRAINT "field_entries_box_id_boxes_id_fk";
--> statement-breakpoint
ALTER TABLE "field_entries" ADD COLUMN "refused_for" text;--> statement-breakpoint
ALTER TABLE "supplier_labels" ADD CONSTRAINT "supplier_labels_user_id_suppliers_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."suppliers"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "supplier_labels_user_id_index" ON "supplier_labels" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "supplier_labels_prefix_digits_first_index" ON "supplier_labels" USING btree ("prefix","digits","first");