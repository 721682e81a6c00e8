package io.asynq.internal.fleet;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Asks a live server to stop or resume taking tasks; by the id it knows what it has done.
 */
public record ServerWish(String id, boolean quiet) {

	private static final String QUIET = "quiet ";

	private static final String RESUME = "resume ";

	public static ServerWish of(boolean quiet) {
		return new ServerWish(UUID.randomUUID().toString(), quiet);
	}

	/** Returns {@code null} for a request of a later version. */
	public static @Nullable ServerWish parse(String text) {
		if (text.startsWith(QUIET)) {
			return new ServerWish(text.substring(QUIET.length()), true);
		}
		return text.startsWith(RESUME) ? new ServerWish(text.substring(RESUME.length()), false) : null;
	}

	public String text() {
		return (this.quiet ? QUIET : RESUME) + this.id;
	}

}
