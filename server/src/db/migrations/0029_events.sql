CREATE TABLE "event_numbers" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"last" bigint NOT NULL,
	CONSTRAINT "one_row" CHECK ("event_numbers"."only_row")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"number" bigint,
	"kind" text NOT NULL,
	"keys" text[],
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "events_number_index" ON "events" USING btree ("number") WHERE "events"."number" is not null;--> statement-breakpoint
CREATE INDEX "events_unnumbered_index" ON "events" USING btree ("id") WHERE "events"."number" is null;--> statement-breakpoint
INSERT INTO "event_numbers" ("last") VALUES (0);
