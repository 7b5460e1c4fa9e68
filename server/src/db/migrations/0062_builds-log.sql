CREATE TABLE "other_log_entries" (
	"origin" text NOT NULL,
	"index" integer NOT NULL,
	"entry" text NOT NULL,
	CONSTRAINT "other_log_entries_origin_index_pk" PRIMARY KEY("origin","index")
);
--> statement-breakpoint
CREATE TABLE "other_log_tiles" (
	"origin" text NOT NULL,
	"level" integer NOT NULL,
	"index" integer NOT NULL,
	"hashes" "bytea" NOT NULL,
	CONSTRAINT "other_log_tiles_origin_level_index_pk" PRIMARY KEY("origin","level","index")
);
--> statement-breakpoint
CREATE TABLE "other_logs" (
	"origin" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"fault" text,
	"seen" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "started_builds" (
	"entry" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
