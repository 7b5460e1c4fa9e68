CREATE TABLE "log_cosignatures" (
	"origin" text NOT NULL,
	"size" integer NOT NULL,
	"key" text NOT NULL,
	"line" text NOT NULL,
	"time" bigint NOT NULL,
	CONSTRAINT "log_cosignatures_origin_size_key_pk" PRIMARY KEY("origin","size","key")
);
--> statement-breakpoint
CREATE TABLE "log_witnesses" (
	"url" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"fault" text,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "anchor_logs" ADD COLUMN "seen" text;