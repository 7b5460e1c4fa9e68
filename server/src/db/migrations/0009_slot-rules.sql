CREATE TABLE "closed_days" (
	"day" text PRIMARY KEY NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "skipped_slots" (
	"rule_id" text NOT NULL,
	"day" text NOT NULL,
	CONSTRAINT "skipped_slots_rule_id_day_pk" PRIMARY KEY("rule_id","day")
);
--> statement-breakpoint
CREATE TABLE "slot_rules" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"weekdays" jsonb NOT NULL,
	"starts_at" text NOT NULL,
	"ends_at" text NOT NULL,
	"time_zone" text NOT NULL,
	"area" jsonb,
	"capacity" integer NOT NULL,
	"cut_off_minutes" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "holds" DROP CONSTRAINT "holds_slot_id_slots_id_fk";
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "slot_starts_at" timestamp with time zone;--> statement-breakpoint
UPDATE "orders" SET "slot_starts_at" = "slots"."starts_at" FROM "slots" WHERE "slots"."id" = "orders"."slot_id";--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "slot_starts_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "slots" ADD COLUMN "rule_id" text;--> statement-breakpoint
ALTER TABLE "slots" ADD COLUMN "rule_day" text;--> statement-breakpoint
ALTER TABLE "slots" ADD COLUMN "edited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "skipped_slots" ADD CONSTRAINT "skipped_slots_rule_id_slot_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."slot_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_slot_id_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."slots"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slots" ADD CONSTRAINT "slots_rule_id_slot_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."slot_rules"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_slot_starts_at_created_at_id_index" ON "orders" USING btree ("slot_starts_at","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_open_index" ON "orders" USING btree ("slot_starts_at","created_at","id") WHERE "orders"."status" not in ('COMPLETED', 'CANCELLED');--> statement-breakpoint
CREATE UNIQUE INDEX "slots_rule_id_rule_day_index" ON "slots" USING btree ("rule_id","rule_day");