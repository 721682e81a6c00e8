package io.asynq.broker.fleet;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What somebody asks of a live server: to take no more tasks, or to take them again.
 *
 * @param id a name of its own, by which the server knows what it has done already
 * @param quiet whether it is to take no more tasks
 */
public record ServerWish(String id, boolean quiet) {

	private static final String QUIET = "quiet ";

	private static final String RESUME = "resume ";

	public static ServerWish of(boolean quiet) {
		return new ServerWish(UUID.randomUUID().toString(), quiet);
	}

	/** Reads it, {@code null} if this version does not know what is asked. */
	public static @Nullable ServerWish parse(String text) {
		if (text.startsWith(QUIET)) {
			return new ServerWish(text.substring(QUIET.length()), true);
		}
		return text.startsWith(RESUME) ? new ServerWish(text.substring(RESUME.length()), false) : null;
	}

	/** Returns its text form. */
	public String text() {
		return (this.quiet ? QUIET : RESUME) + this.id;
	}

}
