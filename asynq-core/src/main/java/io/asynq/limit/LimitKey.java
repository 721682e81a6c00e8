package io.asynq.limit;

import io.asynq.Task;
import org.jspecify.annotations.Nullable;

/**
 * Tells which of the keys of a limit a task has: each key has its own tokens. Called for
 * each task before it runs, in a thread that fetches tasks for all workers, so it must be
 * quick and must not wait for anything. Must be safe for concurrent use.
 */
@FunctionalInterface
public interface LimitKey {

	/**
	 * Returns the key of a task. Tasks whose key is {@code null} or empty, or for which
	 * this method throws, share one key. Control characters count as spaces. Keys longer
	 * than 200 characters are told apart by their first 150 characters and a digest of
	 * the whole.
	 */
	@Nullable String key(Task task);

	/**
	 * Takes the value of a header as the key; its name is not case-sensitive.
	 */
	static LimitKey header(String name) {
		return (task) -> {
			String exact = task.headers().get(name);
			return (exact != null) ? exact
					: task.headers()
						.entrySet()
						.stream()
						.filter((header) -> header.getKey().equalsIgnoreCase(name))
						.map(java.util.Map.Entry::getValue)
						.findFirst()
						.orElse(null);
		};
	}

}
