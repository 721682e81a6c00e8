package io.asynq.broker.limit;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The tasks of a queue that need tokens of the same limits and keys. They are
 * interchangeable: if one cannot run, none can.
 *
 * @param queue the queue
 * @param needs a line for each limit: its name, and after a tab the key if it has keys
 */
public record LimitClass(String queue, String needs) {

	private static final String END_OF_NEEDS = "\n\n";

	/**
	 * Creates the class of tasks with some needs.
	 * @param needs texts of {@link #need}, at least one
	 */
	public static LimitClass of(String queue, Collection<String> needs) {
		return new LimitClass(queue, needs.stream().sorted().distinct().collect(Collectors.joining("\n")));
	}

	/** Reads the form that scripts know. */
	public static LimitClass of(String text) {
		int end = text.indexOf(END_OF_NEEDS);
		return new LimitClass(text.substring(end + END_OF_NEEDS.length()), text.substring(0, end));
	}

	/** Returns the need of a token of a limit without keys. */
	public static String need(String limit) {
		return limit;
	}

	/** Returns the need of a token of a key. */
	public static String need(String limit, String key) {
		return limit + "\t" + key;
	}

	/** Returns the name of the limit of a need. */
	public static String limit(String need) {
		int tab = need.indexOf('\t');
		return (tab < 0) ? need : need.substring(0, tab);
	}

	/** Returns the key of a need, empty if it has none. */
	public static String key(String need) {
		return need.substring(Math.min(need.length(), limit(need).length() + 1));
	}

	/** Returns the single needs. */
	public List<String> each() {
		return List.of(this.needs.split("\n"));
	}

	/** Returns the form that scripts know. */
	public String text() {
		return this.needs + END_OF_NEEDS + this.queue;
	}

}
