CREATE TABLE "log_stamps" (
	"day" text PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"size" integer NOT NULL,
	"tsr" "bytea",
	"stamped_by" text,
	"stamped_at" timestamp with time zone,
	"ots" "bytea",
	"is_complete" boolean DEFAULT false NOT NULL,
	"ots_asked_at" timestamp with time zone,
	"fault" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "log_stamps_origin_size_unique" UNIQUE("origin","size")
);
