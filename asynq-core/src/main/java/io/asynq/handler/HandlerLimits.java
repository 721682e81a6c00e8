package io.asynq.handler;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Which limits apply to the tasks of a handler.
 *
 * @param names names of limits that are configured elsewhere
 * @param own the handler's own limit, {@code null} for none
 */
public record HandlerLimits(List<String> names, @Nullable Own own) {

	private static final HandlerLimits NONE = new HandlerLimits(List.of(), null);

	public HandlerLimits {
		names = List.copyOf(names);
	}

	/**
	 * Returns the limits of a handler without limits.
	 * @return no limits
	 */
	public static HandlerLimits none() {
		return NONE;
	}

	/**
	 * Returns limits by their names.
	 * @param names names of configured limits
	 * @return the limits
	 */
	public static HandlerLimits of(String... names) {
		return new HandlerLimits(List.of(names), null);
	}

	/**
	 * Returns whether no limit applies.
	 * @return {@code true} if there is none
	 */
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
	 * A limit that belongs to one handler.
	 *
	 * @param name its name, the same on all servers that have the handler
	 * @param concurrent how many tasks may run at the same time, at least 1
	 */
	public record Own(String name, int concurrent) {

		public Own {
			if (concurrent < 1) {
				throw new IllegalArgumentException("Limit '" + name + "' must be at least 1, but is " + concurrent);
			}
		}

	}

}
