package io.asynq.handler;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Which limits apply to the tasks of a handler: configured ones by name, and its own.
 */
public record HandlerLimits(List<String> names, @Nullable Own own) {

	private static final HandlerLimits NONE = new HandlerLimits(List.of(), null);

	public HandlerLimits {
		names = List.copyOf(names);
	}

	public static HandlerLimits none() {
		return NONE;
	}

	public static HandlerLimits of(String... names) {
		return new HandlerLimits(List.of(names), null);
	}

	public boolean isEmpty() {
		return this.names.isEmpty() && this.own == null;
	}

	@Override
	public String toString() {
		return Stream
			.concat(this.names.stream().map((name) -> "limit '" + name + "'"),
					Stream.ofNullable(this.own).map((limit) -> "at most " + limit.concurrent() + " at a time"))
			.collect(Collectors.joining(", "));
	}

	/**
	 * A limit of one handler, whose name is the same on all servers that have it.
	 */
	public record Own(String name, int concurrent) {

		public Own {
			if (concurrent < 1) {
				throw new IllegalArgumentException("Limit '" + name + "' must be at least 1, but is " + concurrent);
			}
		}

	}

}
