package io.asynq;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The queue was not deleted because it has tasks.
 */
public class QueueNotEmptyException extends AsynqException {

	private final Map<String, Long> contents;

	/**
	 * Creates the exception.
	 * @param contents number of tasks by state
	 * @param wayOut what to do instead, as a clause
	 */
	public QueueNotEmptyException(String queue, Map<String, Long> contents, String wayOut) {
		super("Queue '" + queue + "' was not deleted because it has "
				+ contents.entrySet()
					.stream()
					.map((entry) -> entry.getValue() + " " + entry.getKey())
					.collect(Collectors.joining(", "))
				+ ": " + wayOut);
		this.contents = new LinkedHashMap<>(contents);
	}

	/**
	 * Returns the number of tasks by state that prevented the deletion; those that are
	 * being aggregated count as aggregating.
	 */
	public Map<String, Long> contents() {
		return Map.copyOf(this.contents);
	}

}
