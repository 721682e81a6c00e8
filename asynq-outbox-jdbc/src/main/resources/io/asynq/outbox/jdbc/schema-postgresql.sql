-- The outbox of asynq. Times are milliseconds since 1970, but for due_at, which is in seconds.
-- Rows with set_aside_at cannot be sent, for the reason in reason.
CREATE TABLE IF NOT EXISTS asynq_outbox (
	id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	transaction_id VARCHAR(22) NOT NULL,
	ordinal INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	queue TEXT NOT NULL,
	task_id TEXT NOT NULL,
	task_type TEXT NOT NULL,
	message BYTEA NOT NULL,
	due_at BIGINT,
	lock_seconds BIGINT,
	replaces_archived BOOLEAN NOT NULL,
	set_aside_at BIGINT,
	reason TEXT
);

CREATE INDEX IF NOT EXISTS asynq_outbox_waiting ON asynq_outbox (queue, id) WHERE set_aside_at IS NULL;

CREATE INDEX IF NOT EXISTS asynq_outbox_set_aside ON asynq_outbox (set_aside_at) WHERE set_aside_at IS NOT NULL;
