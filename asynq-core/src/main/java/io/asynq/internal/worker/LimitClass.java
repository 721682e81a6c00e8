package io.asynq.internal.worker;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tasks that need tokens of the same limits, a line for each with the key after a tab: if
 * one of them cannot run, none can.
 */
public record LimitClass(String queue, String needs) {

	private static final String END_OF_NEEDS = "\n\n";

	public static LimitClass of(String queue, Collection<String> needs) {
		return new LimitClass(queue, needs.stream().sorted().distinct().collect(Collectors.joining("\n")));
	}

	public static LimitClass of(String text) {
		int end = text.indexOf(END_OF_NEEDS);
		return new LimitClass(text.substring(end + END_OF_NEEDS.length()), text.substring(0, end));
	}

	public static String need(String limit) {
		return limit;
	}

	public static String need(String limit, String key) {
		return limit + "\t" + key;
	}

	public static String limit(String need) {
		int tab = need.indexOf('\t');
		return (tab < 0) ? need : need.substring(0, tab);
	}

	public static String key(String need) {
		return need.substring(Math.min(need.length(), limit(need).length() + 1));
	}

	public List<String> each() {
		return List.of(this.needs.split("\n"));
	}

	public String text() {
		return this.needs + END_OF_NEEDS + this.queue;
	}

}
