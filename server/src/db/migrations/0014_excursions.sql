CREATE TABLE "box_watches" (
	"box_id" text PRIMARY KEY NOT NULL,
	"seq" integer NOT NULL,
	"last_at" timestamp with time zone,
	"since" timestamp with time zone,
	"peak" real,
	"peak_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "excursion_notes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "excursion_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"excursion_id" text NOT NULL,
	"text" text NOT NULL,
	"who" text NOT NULL,
	"happened_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "excursions" (
	"id" text PRIMARY KEY NOT NULL,
	"box_id" text NOT NULL,
	"kind" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"peak" real,
	"peak_at" timestamp with time zone,
	"limit_degrees" real,
	"limit_minutes" real,
	"closed_at" timestamp with time zone,
	"closed_by" text,
	"close_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notice_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"target_id" text NOT NULL,
	"excursion_id" text NOT NULL,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"delivered_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notice_targets" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"address" text NOT NULL,
	"secret" text,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "warm_limits" (
	"species" text PRIMARY KEY NOT NULL,
	"degrees" real NOT NULL,
	"minutes" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "box_watches" ADD CONSTRAINT "box_watches_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "excursion_notes" ADD CONSTRAINT "excursion_notes_excursion_id_excursions_id_fk" FOREIGN KEY ("excursion_id") REFERENCES "public"."excursions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "excursions" ADD CONSTRAINT "excursions_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_deliveries" ADD CONSTRAINT "notice_deliveries_target_id_notice_targets_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."notice_targets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_deliveries" ADD CONSTRAINT "notice_deliveries_excursion_id_excursions_id_fk" FOREIGN KEY ("excursion_id") REFERENCES "public"."excursions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "excursion_notes_excursion_id_index" ON "excursion_notes" USING btree ("excursion_id");--> statement-breakpoint
CREATE UNIQUE INDEX "excursions_box_id_kind_since_index" ON "excursions" USING btree ("box_id","kind","since");--> statement-breakpoint
CREATE INDEX "excursions_closed_at_created_at_index" ON "excursions" USING btree ("closed_at","created_at");--> statement-breakpoint
CREATE INDEX "notice_deliveries_excursion_id_index" ON "notice_deliveries" USING btree ("excursion_id");--> statement-breakpoint
CREATE INDEX "notice_deliveries_target_id_created_at_index" ON "notice_deliveries" USING btree ("target_id","created_at");