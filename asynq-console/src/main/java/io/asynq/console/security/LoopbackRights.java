package io.asynq.console.security;

import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRequest.Origin;
import io.asynq.console.http.ConsoleRights;
import org.jspecify.annotations.Nullable;

/**
 * Callers from this machine may do everything, others nothing: an application without
 * Spring Security cannot tell who they are.
 */
public final class LoopbackRights implements ConsoleRights {

	@Override
	public boolean allow(Origin origin, ConsoleRight right, @Nullable String queue) {
		return origin.direct();
	}

	@Override
	public String refusal(Origin origin) {
		return "Without Spring Security the console answers only browsers on its own machine that come to localhost and"
				+ " not through a proxy. Add Spring Security and give users the authority ASYNQ_VIEWER, declare an"
				+ " AsynqConsoleAuthorizer bean, or set asynq.console.security=none if everybody may come in.";
	}

	@Override
	public boolean areByQueue() {
		return false;
	}

	@Override
	public boolean areByLogin() {
		return false;
	}

}
