CREATE TABLE "anchor_logs" (
	"origin" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"fault" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "log_checkpoints" (
	"origin" text NOT NULL,
	"size" integer NOT NULL,
	"root" text NOT NULL,
	"note" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "log_checkpoints_origin_size_pk" PRIMARY KEY("origin","size")
);
--> statement-breakpoint
CREATE TABLE "log_entries" (
	"index" integer PRIMARY KEY NOT NULL,
	"entry" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "log_tiles" (
	"level" integer NOT NULL,
	"index" integer NOT NULL,
	"hashes" "bytea" NOT NULL,
	CONSTRAINT "log_tiles_level_index_pk" PRIMARY KEY("level","index")
);
