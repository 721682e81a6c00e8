package io.asynq.inspect;

import org.jspecify.annotations.Nullable;

/**
 * A limit over all servers at one moment.
 *
 * @param concurrent how many tasks may run at the same time, of each key if it has keys;
 * 0 if it does not limit that
 * @param rate how many may start in which time, such as {@code 10/s}; {@code null} if it
 * does not limit that
 * @param held how many tokens are held: by running tasks, by tasks in prefetch buffers,
 * and for about a minute by those of a killed server
 * @param waiting how many tasks wait for it, alone or among other limits. Tasks that were
 * run, archived or deleted by hand while they waited may count for about a minute
 * @param keys how many keys are in use; 1 for a limit without keys that is in use
 */
public record LimitInfo(String name, int concurrent, @Nullable String rate, long held, long waiting, long keys) {

	/**
	 * A key of a limit at one moment.
	 *
	 * @param key the key; empty for a limit without keys, and for tasks that have none
	 * @param held how many tokens of this key are in use
	 * @param waiting how many tasks with this key wait
	 */
	public record Key(String key, long held, long waiting) {
	}

}
