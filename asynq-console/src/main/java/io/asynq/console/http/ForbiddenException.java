package io.asynq.console.http;

import java.util.Locale;

import io.asynq.console.ConsoleRight;
import io.asynq.operate.ProblemException;
import org.jspecify.annotations.Nullable;

final class ForbiddenException extends ProblemException {

	ForbiddenException(ConsoleRight right, @Nullable String queue) {
		super(403, "forbidden", "You may not do this" + ((queue != null) ? " with queue '" + queue + "'" : "")
				+ ": it needs the right '" + right.name().toLowerCase(Locale.ROOT) + "'");
	}

}
