CREATE TABLE "field_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"kind" text NOT NULL,
	"fingerprint" text NOT NULL,
	"box_id" text NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"device_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"clock_offset_s" real NOT NULL,
	"late" boolean NOT NULL,
	"clock_wrong" boolean NOT NULL,
	"accuracy" real
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"email" text NOT NULL,
	"email_key" text NOT NULL,
	"fisher" jsonb NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "invitations_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "suppliers" (
	"user_id" text PRIMARY KEY NOT NULL,
	"fisher" jsonb NOT NULL,
	"party" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "boxes" ADD COLUMN "supplier_id" text;--> statement-breakpoint
ALTER TABLE "boxes" ADD COLUMN "holder" text;--> statement-breakpoint
ALTER TABLE "field_entries" ADD CONSTRAINT "field_entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "field_entries" ADD CONSTRAINT "field_entries_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppliers" ADD CONSTRAINT "suppliers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "field_entries_box_id_index" ON "field_entries" USING btree ("box_id");--> statement-breakpoint
CREATE INDEX "field_entries_user_id_received_at_index" ON "field_entries" USING btree ("user_id","received_at");--> statement-breakpoint
CREATE INDEX "invitations_email_key_index" ON "invitations" USING btree ("email_key");--> statement-breakpoint
CREATE INDEX "invitations_expires_at_index" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "suppliers_party_index" ON "suppliers" USING btree ("party");--> statement-breakpoint
ALTER TABLE "boxes" ADD CONSTRAINT "boxes_supplier_id_users_id_fk" FOREIGN KEY ("supplier_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "boxes_supplier_id_index" ON "boxes" USING btree ("supplier_id");--> statement-breakpoint
CREATE INDEX "boxes_holder_index" ON "boxes" USING btree ("holder");