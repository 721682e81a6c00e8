package io.asynq.console.http;

import java.util.Locale;

import io.asynq.AsynqException;
import io.asynq.console.ConsoleRight;
import org.jspecify.annotations.Nullable;

/**
 * The caller lacks a right.
 */
final class ForbiddenException extends AsynqException {

	ForbiddenException(ConsoleRight right, @Nullable String queue) {
		super("You may not do this" + ((queue != null) ? " with queue '" + queue + "'" : "") + ": it needs the right '"
				+ right.name().toLowerCase(Locale.ROOT) + "'");
	}

}
