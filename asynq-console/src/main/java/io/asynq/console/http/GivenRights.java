package io.asynq.console.http;

import io.asynq.console.AsynqConsoleAuthorizer;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRequest.Origin;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

public record GivenRights(AsynqConsoleAuthorizer authorizer) implements ConsoleRights {

	private static final Logger logger = OneLineLogger.of(GivenRights.class);

	@Override
	public boolean allow(Origin origin, ConsoleRight right, @Nullable String queue) {
		try {
			return this.authorizer.isAllowed(origin.principal(), right, queue);
		}
		catch (RuntimeException ex) {
			logger.warn("The AsynqConsoleAuthorizer failed, so the call is refused", ex);
			return false;
		}
	}

	@Override
	public String refusal(Origin origin) {
		return "The application's AsynqConsoleAuthorizer does not let you look";
	}

	@Override
	public boolean areByQueue() {
		return true;
	}

}
