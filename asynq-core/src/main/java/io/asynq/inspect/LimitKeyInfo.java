package io.asynq.inspect;

/**
 * A key of a limit at one moment.
 *
 * @param key the key; empty for a limit without keys, and for tasks that have none
 * @param held how many tokens of this key are in use
 * @param waiting how many tasks with this key wait
 */
public record LimitKeyInfo(String key, long held, long waiting) {
}
